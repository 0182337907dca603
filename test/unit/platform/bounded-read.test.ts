import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { assert, asyncProperty, integer, string } from "fast-check";
import { readEnds, readHead, readLines, readTail } from "../../../src/platform/bounded-read.ts";
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
    expect(await readTail(path, 4)).toBe("€");
  });

  test("an end that the file itself leaves incomplete is replaced, not left out", async () => {
    using folder = testFolder();
    const path = folder.join("file");
    writeFileSync(path, new Uint8Array([0x61, 0xff, 0x62, 0xe2, 0x82]));
    expect(await readTail(path, 5)).toBe("a\uFFFDb\uFFFD");
    expect(await readEnds(path, 2)).toMatchObject({ text: "a\uFFFD", tail: "\uFFFD" });
  });

  test("the end that is read is the longest whole one within the limit", async () => {
    using folder = testFolder();
    const path = folder.join("file");
    const anyText = string({ unit: "binary", maxLength: 20 }).map((text) => `a${text}`);
    await assert(
      asyncProperty(anyText, integer({ min: 0, max: 90 }), async (text, limit) => {
        writeFileSync(path, text);
        const characters = [...text];
        const tails = characters.map((_, n) => characters.slice(n).join(""));
        const longest = tails.find((part) => Buffer.byteLength(part) <= limit);
        expect(await readTail(path, limit)).toBe(longest ?? "");
      }),
    );
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
      expect(await readTail(path, 4)).toBe("");
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
