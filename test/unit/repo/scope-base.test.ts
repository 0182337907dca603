import { expect, test } from "bun:test";
import { scopeBase } from "../../../src/repo/scope-base.ts";

const files = { paths: new Set(["..odd/a.ts", "src/deep/b.ts", "c.ts"]) };

test("words of a scope count from where the user stands, in folders of any name", () => {
  const prefixOf = (cwd: string) => scopeBase(cwd, "/repo", files).prefix;
  expect(prefixOf("/repo")).toBe("");
  expect(prefixOf("/repo/src/deep")).toBe("src/deep");
  expect(prefixOf("/repo/..odd")).toBe("..odd");
  expect(prefixOf("/elsewhere")).toBe("");
  expect(prefixOf("/")).toBe("");
});

test("files are there, and the folders that hold them", () => {
  const { exists } = scopeBase("/repo", "/repo", files);
  expect(
    ["c.ts", "src", "src/deep", "src/deep/b.ts", "..odd"].filter((path) => !exists(path)),
  ).toEqual([]);
  expect(["deep", "src/deep/", "", "d.ts"].filter((path) => exists(path))).toEqual([]);
});
