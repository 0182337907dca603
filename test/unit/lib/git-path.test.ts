import { expect, test } from "bun:test";
import { decodePath, encodePath, parentOf } from "../../../src/lib/git-path.ts";

const NAMES = {
  "plain text": Buffer.from("a/é b"),
  "bytes that are no text": Buffer.from([0x61, 0xe9, 0x2f, 0x22, 0x5c]),
  "text in quotes": Buffer.from('"a"'),
  "text that looks like quoted bytes": Buffer.from('"\\101"'),
  "text that looks like quoted bytes that lead up": Buffer.from('"\\056\\056/x\\n"'),
  "text in quotes that are none": Buffer.from('"x\\"'),
};

test.each(Object.entries(NAMES))("%s has a path that names just these bytes", (_, name) => {
  expect(encodePath(decodePath(name))).toEqual(name);
});

test("the folder above a name that looks quoted is the one it lies in", () => {
  expect(encodePath(parentOf(decodePath(Buffer.from('"\\101/b"'))))).toEqual(Buffer.from('"\\101'));
});
