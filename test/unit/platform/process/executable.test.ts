import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { findExecutable } from "../../../../src/platform/process/executable.ts";
import { openSandbox, type ProcessSandbox } from "../../../support/processes.ts";

let sandbox: ProcessSandbox;
beforeEach(() => {
  sandbox = openSandbox();
  for (const dir of ["first", "second", "third"]) mkdirSync(sandbox.path(dir));
});
afterEach(() => sandbox.close());

function put(path: string, mode: number): void {
  writeFileSync(sandbox.path(path), "");
  chmodSync(sandbox.path(path), mode);
}

function find(name: string, ...pathEntries: string[]): string | undefined {
  return findExecutable(name, pathEntries.join(":"), sandbox.root);
}

test("the first executable file in PATH is found", () => {
  mkdirSync(sandbox.path("first/tool"));
  put("second/tool", 0o600);
  put("third/tool", 0o700);
  const entries = ["first", "second", "missing", "third"].map((dir) => sandbox.path(dir));
  expect(find("tool", ...entries)).toBe(sandbox.path("third/tool"));
  expect(find("other", ...entries)).toBeUndefined();
});

test("relative and empty entries of PATH do not count", () => {
  put("tool", 0o700);
  put("first/tool", 0o700);
  const fromHere = relative(process.cwd(), sandbox.path("first"));
  expect(find("tool", "", ".", "first", fromHere)).toBeUndefined();
  expect(find("tool", fromHere, sandbox.path("first"))).toBe(sandbox.path("first/tool"));
});

test("a name with a slash is resolved against the directory, not looked up", () => {
  put("first/tool", 0o700);
  put("second/plain", 0o600);
  expect(find("./first/tool", "/bin")).toBe(sandbox.path("first/tool"));
  expect(find("first/tool", "/bin")).toBe(sandbox.path("first/tool"));
  expect(find(sandbox.path("first/tool"), "/bin")).toBe(sandbox.path("first/tool"));
  expect(find("second/plain", "/bin")).toBeUndefined();
  expect(find("./tool", sandbox.path("first"))).toBeUndefined();
});

test("links to executables are followed, an empty name is nobody's", () => {
  put("first/tool", 0o700);
  symlinkSync("../first/tool", sandbox.path("second/link"));
  symlinkSync("missing", sandbox.path("second/broken"));
  expect(find("link", sandbox.path("second"))).toBe(sandbox.path("second/link"));
  expect(find("broken", sandbox.path("second"))).toBeUndefined();
  expect(find("", sandbox.path("first"))).toBeUndefined();
});
