import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const alone = existsSync(new URL("../../../LICENSE", import.meta.url)) ? false : "the package is by itself";

test("the licence comes along, and is the repository's", { skip: alone }, () => {
  assert.ok(JSON.parse(read("../package.json")).files.includes("LICENSE"));
  assert.equal(read("../LICENSE"), read("../../../LICENSE"));
});
