// Where a browser keeps what the device remembers: IndexedDB, one transaction for each decision.

import { StoreError } from "../errors.js";

const TABLE = "entries";

/** The store of this origin. Tabs share it, and each decision is taken by one of them at a time. */
export async function openStore(name = "hushgraph") {
  // What browsers may throw away when space is short would be spent twice; not all of them ask.
  globalThis.navigator?.storage?.persist?.()?.catch(() => {});
  const request = globalThis.indexedDB.open(name, 1);
  request.onupgradeneeded = () =>
    request.result.createObjectStore(TABLE, { keyPath: "number", autoIncrement: true });
  const database = await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failed(request.error));
    request.onblocked = () => reject(new StoreError("another tab keeps an older version of the store open"));
  });
  database.onversionchange = () => database.close();
  return new IndexedDbStore(database);
}

class IndexedDbStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** All entries, in order. */
  async entries() {
    return this.append(() => null);
  }

  /** Adds what `decide` makes of all entries, if anything; no other tab writes in between. On disk when it returns. */
  async append(decide) {
    let entries = [];
    await this.#transaction((table, abort) => {
      const all = table.getAll();
      all.onsuccess = () => {
        try {
          entries = all.result;
          const added = decide(entries);
          if (added === null) return;
          const put = table.add(added);
          put.onsuccess = () => {
            entries = [...entries, { ...added, number: put.result }];
          };
        } catch (error) {
          abort(error);
        }
      };
    });
    return entries;
  }

  /** Deletes the bytes of one entry, and keeps the rest of it. */
  async erase(number) {
    await this.#transaction((table) => {
      const found = table.get(number);
      found.onsuccess = () => found.result && table.put({ ...found.result, bytes: null });
    });
  }

  close() {
    this.#database.close();
  }

  #transaction(act) {
    return new Promise((resolve, reject) => {
      let transaction;
      try {
        transaction = this.#database.transaction(TABLE, "readwrite", { durability: "strict" });
      } catch (error) {
        reject(failed(error));
        return;
      }
      let refused = null;
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(refused ?? failed(transaction.error));
      act(transaction.objectStore(TABLE), (error) => {
        refused = error;
        transaction.abort();
      });
    });
  }
}

function failed(error) {
  return new StoreError(`the browser cannot keep anything: ${error?.message ?? "it gave no reason"}`, {
    cause: error,
  });
}
