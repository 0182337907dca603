import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readEnds, readHead, readLines } from "../../../src/platform/bounded-read.ts";
import { testFolder } from "../../support/provider-fixtures.ts";

async function lines(path: string, limit = 100): Promise<string[]> {
  return Array.fromAsync(readLines(path, limit));
}

describe("bounded reads", () => {
  test("whole files below the limit, their beginning above it", async () => {
    using folder = testFolder();
    const path = folder.join("file");
    writeFileSync(path, "0123456789");
    expect(await readHead(path, 10)).toEqual({ text: "0123456789", omittedBytes: 0 });
    expect(await readHead(path, 4)).toEqual({ text: "0123", omittedBytes: 6 });
    expect(await readEnds(path, 5)).toEqual({ text: "0123456789", tail: "", omittedBytes: 0 });
    expect(await readEnds(path, 3)).toEqual({ text: "012", tail: "789", omittedBytes: 4 });
  });

  test("a cut inside of a character leaves it out", async () => {
    using folder = testFolder();
    const path = folder.join("file");
    writeFileSync(path, "€€€€");
    expect(await readHead(path, 4)).toMatchObject({ text: "€" });
    expect(await readEnds(path, 4)).toMatchObject({ text: "€", tail: "€" });
  });

  test("what is no regular file is no file", async () => {
    using folder = testFolder();
    mkdirSync(folder.join("folder"));
    symlinkSync(folder.join("loop"), folder.join("loop"));
    for (const path of [
      folder.join("none"),
      folder.join("folder"),
      folder.join("loop"),
      "/dev/zero",
    ]) {
      expect(await readHead(path, 4)).toBeUndefined();
      expect(await readEnds(path, 4)).toBeUndefined();
      expect(await lines(path)).toEqual([]);
    }
  });

  test("lines, without those over the limit", async () => {
    using folder = testFolder();
    const path = folder.join("file");
    writeFileSync(path, `one\n\n${"x".repeat(101)}\n${"y".repeat(100)}\nlast`);
    expect(await lines(path)).toEqual(["one", "", "y".repeat(100), "last"]);
    writeFileSync(path, "torn\nend\n");
    expect(await lines(path)).toEqual(["torn", "end"]);
  });

  test("lines of many chunks are whole, and characters across chunks too", async () => {
    using folder = testFolder();
    const path = folder.join("file");
    const text = "€".repeat(30_001);
    writeFileSync(path, `${text}\n`.repeat(40));
    expect(await lines(path, 200_000)).toEqual(Array<string>(40).fill(text));
  });
});
