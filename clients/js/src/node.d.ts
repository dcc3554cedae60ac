import type { Store } from "./index.js";

/** The store in a folder, which is made if it is missing; several processes may use it at once. */
export function openStore(folder: string): Promise<Store>;
