import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { viewStream } from "../../../src/providers/worker-output.ts";
import { testFolder } from "../../support/provider-fixtures.ts";

test("an excerpt is cut between characters, and says how much it leaves out", async () => {
  using folder = testFolder();
  for (const before of ["", "a", "ab", "abc"]) {
    writeFileSync(folder.join("out"), `${before}${"\u{1f600}".repeat(5000)}z`);
    const { excerpt } = await viewStream(folder.join("out"));
    expect(excerpt).not.toContain("\ufffd");
    const [head = "", tail = ""] = excerpt.split(/\n\[truncated \d+ bytes\]\n/);
    expect(head).toStartWith(`${before}\u{1f600}`);
    expect(tail).toMatch(/^\u{1f600}+z$/u);
    const left = before.length + 20_001 - Buffer.byteLength(head + tail);
    expect(excerpt).toContain(`[truncated ${left} bytes]`);
  }
});
