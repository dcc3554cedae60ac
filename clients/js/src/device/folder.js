// Where a process keeps what the device remembers: a folder of numbered files that are only ever added.
//
// An entry is written and synced under another name and then linked to the next number, which fails if somebody
// else was faster: so processes take turns without locks, and a kill at any moment leaves whole entries.

import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StoreError } from "../errors.js";

const ENTRY = /^\d{9}\.json$/;
const UNFINISHED = /^\.[0-9a-f]{16}\.new$/;
const FORMAT = 1;

/** The store in a folder, which is made if it is missing. */
export async function openStore(folder) {
  if (typeof folder !== "string" || folder === "")
    throw new StoreError("openStore takes the path of a folder");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = new FolderStore(folder);
  await synced(dirname(resolve(folder)));
  await store.tidy();
  return store;
}

class FolderStore {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  /** All entries, in order; each is on disk. */
  async entries() {
    const names = (await this.#names()).filter((name) => ENTRY.test(name)).sort();
    if (names.some((name, place) => name !== this.#name(place + 1))) {
      throw new StoreError(
        `${this.#folder} lacks an entry: bring it back, what was spent is not known without it`,
      );
    }
    const entries = await Promise.all(names.map((_, place) => this.#read(place + 1)));
    await synced(this.#folder);
    return entries;
  }

  /** Adds what `decide` makes of all entries, if anything; nobody writes in between. On disk when it returns. */
  async append(decide) {
    for (;;) {
      const entries = await this.entries();
      const added = decide(entries);
      if (added === null) return entries;
      const number = entries.length + 1;
      if (await this.#placed(added, (temporary) => link(temporary, this.#path(number)))) {
        return [...entries, { ...added, number }];
      }
    }
  }

  /** Deletes the bytes of one entry, and keeps the rest of it. */
  async erase(number) {
    let done = false;
    while (!done) {
      const entry = { ...(await this.#read(number)), bytes: null };
      done = await this.#placed(entry, (temporary) => rename(temporary, this.#path(number)));
    }
    // A process that was killed may have left these very bytes under another name.
    await this.tidy();
  }

  /** Deletes what was begun and never became an entry; whoever is still at it begins anew. */
  async tidy() {
    const names = (await this.#names()).filter((name) => UNFINISHED.test(name));
    await Promise.all(names.map((name) => removed(join(this.#folder, name))));
  }

  /** Whether an entry, on disk under another name, could be put in its place. */
  async #placed(entry, put) {
    const temporary = join(this.#folder, `.${randomBytes(8).toString("hex")}.new`);
    try {
      await written(temporary, JSON.stringify(toPlain(entry)));
      await put(temporary);
    } catch (error) {
      if (error.code === "EEXIST" || error.code === "ENOENT") return false;
      throw new StoreError(`${this.#folder} cannot be written: ${error.message}`, { cause: error });
    } finally {
      await removed(temporary);
    }
    await synced(this.#folder);
    return true;
  }

  async #names() {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      throw new StoreError(`${this.#folder} cannot be read: ${error.message}`, { cause: error });
    }
  }

  async #read(number) {
    const path = this.#path(number);
    try {
      return { ...fromPlain(JSON.parse(await readFile(path, "utf8"))), number };
    } catch (error) {
      throw new StoreError(`${path} is not a readable entry: ${error.message}`, { cause: error });
    }
  }

  #path(number) {
    return join(this.#folder, this.#name(number));
  }

  #name(number) {
    return `${String(number).padStart(9, "0")}.json`;
  }
}

function toPlain({ number, ...entry }) {
  const plain = { format: FORMAT, ...entry };
  if (entry.bytes) plain.bytes = Buffer.from(entry.bytes).toString("base64");
  if (entry.epsilon === Infinity) plain.epsilon = "inf";
  return plain;
}

function fromPlain({ format, ...plain }) {
  if (format !== FORMAT) throw new Error(`its format is not ${FORMAT}`);
  const entry = { ...plain };
  if (plain.bytes) entry.bytes = new Uint8Array(Buffer.from(plain.bytes, "base64"));
  if (plain.epsilon === "inf") entry.epsilon = Infinity;
  return entry;
}

async function written(path, text) {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function synced(folder) {
  const file = await open(folder, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removed(path) {
  await unlink(path).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
}
