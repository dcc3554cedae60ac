// What only node has: a store in a folder.

export { openStore } from "./device/folder.js";
