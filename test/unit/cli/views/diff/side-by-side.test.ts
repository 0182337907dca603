import { describe, expect, test } from "bun:test";
import { withoutTabs, wrapCells } from "../../../../../src/cli/views/cells.ts";
import { sideBySideLines } from "../../../../../src/cli/views/diff/side-by-side.ts";
import { textWidth } from "../../../../../src/platform/text-width.ts";
import { plain } from "../../../../support/terminal.ts";

/** The rows of one hunk, below its title and its numbers. */
async function rows(lines: readonly string[], columns = 51): Promise<readonly string[]> {
  const counts = (marks: string) =>
    lines.filter((line) => marks.includes(line.charAt(0)) && line !== "").length;
  const hunk = `@@ -1,${counts(" -")} +1,${counts(" +")} @@`;
  const all = await shown(["--- a/x", "+++ b/x", hunk, ...lines], { columns });
  expect(all.slice(0, 2)).toEqual(["── x (modified)", hunk]);
  return all.slice(2);
}

async function shown(
  lines: readonly string[],
  { columns = 51, colours = false } = {},
): Promise<readonly string[]> {
  async function* patch() {
    yield Buffer.from(`diff --git a/x b/x\n${lines.join("\n")}\n`);
  }
  const text = (await Array.fromAsync(sideBySideLines(patch(), { columns, colours }))).join("");
  return text.trimEnd().split("\n");
}

describe("two columns", () => {
  test("put what took the place of a line beside it, and number both sides", async () => {
    expect(await rows([" same", "-old one", "-old two", "+new", " end", "+more"])).toEqual([
      "   1  same               │    1  same",
      "   2 -old one            │    2 +new",
      "   3 -old two            │",
      "   4  end                │    3  end",
      "                         │    4 +more",
    ]);
  });

  test("keep changes apart that follow each other", async () => {
    expect(await rows(["-a", "+b", "-c", "+d"])).toEqual([
      "   1 -a                  │    1 +b",
      "   2 -c                  │    2 +d",
    ]);
  });

  test("go on in the next row where a line is too long, the other side waiting", async () => {
    expect(await rows(["-0123456789abcdefghij", "+short"], 44)).toEqual([
      "   1 -0123456789abcd │    1 +short",
      "      efghij         │",
    ]);
  });

  test("have room for wide characters, and cut none in two", async () => {
    const [first, second] = await rows(["-日本語日本語日本語", "+x"], 45);
    expect(first).toBe("   1 -日本語日本語日  │    1 +x");
    expect(second).toBe("      本語            │");
  });

  test("keep what is joined to one character together", async () => {
    expect(await rows(["-👩‍👩‍👧‍👦e\u0301", "+x"])).toEqual([
      "   1 -👩‍👩‍👧‍👦e\u0301                │    1 +x",
    ]);
  });

  test("write out what a terminal would obey, and show ends of lines that changed", async () => {
    expect(await rows(["-a\u001b[31m", "+a\r"], 60)).toEqual([
      "   1 -a\\u{1b}[31m            │    1 +a\\r",
    ]);
    expect(await rows([" a\r"], 60)).toEqual(["   1  a                      │    1  a"]);
  });

  test("expand tabs and keep blanks at the start", async () => {
    expect(await rows(["-\tx\ty", "+  z"])).toEqual(["   1 -    x   y          │    1 +  z"]);
  });

  test("say where the newline is missing, of the side that lacks it", async () => {
    expect(await rows(["-a", "\\ No newline at end of file", "+a"], 60)).toEqual([
      "   1 -a (no newline)         │    1 +a",
    ]);
    expect(await rows([" a", "\\ No newline at end of file"], 60)).toEqual([
      "   1  a (no newline)         │    1  a (no newline)",
    ]);
  });

  test("have room for high numbers", async () => {
    const lines = await shown(["--- a/x", "+++ b/x", "@@ -123456 +123457 @@", "-a", "+b"]);
    expect(lines.at(-1)).toBe("123456 -a                │ 123457 +b");
  });

  test("show only the beginning of an endless line", async () => {
    const lines = await rows([`+${"x".repeat(100_000)}`, " end"], 120);
    expect(lines.length).toBeLessThan(60);
    expect(lines.join("\n")).toMatch(/… 98,000 more/);
    expect(lines.at(-1)).toEndWith(" end");
  });

  test("do not wait for ever for what takes the place of removed lines", async () => {
    const lines = Array.from({ length: 25_000 }, (_, index) => `-${index}`);
    const all = await rows([...lines, "+x"]);
    expect(all).toHaveLength(25_000);
    expect(all.at(20_000)).toStartWith("20001 -20000");
  });

  test("name files apart, and say what became of them", async () => {
    const lines = await shown([
      "old mode 100644",
      "new mode 100755",
      "diff --git a/old b/new",
      "similarity index 100%",
      "rename from old",
      "rename to new",
      "diff --git a/b b/b",
      "new file mode 100644",
      "GIT binary patch",
      "literal 1",
      "Ic",
      "",
    ]);
    expect(lines).toEqual([
      "── x (modified, not executable → executable)",
      "",
      "── old → new (renamed)",
      "",
      "── b (added, binary)",
      "Binary content, not shown here",
    ]);
  });

  test("look the same in colours", async () => {
    const patch = ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@ f(", " a", "-日本語", "+c"];
    const coloured = await shown(patch, { colours: true });
    expect(coloured.join("\n")).toContain("\u001b[31m-日本語\u001b[39m");
    expect(coloured.map(plain)).toEqual([...(await shown(patch))]);
  });
});

test("rows are never wider than asked for, whatever the text is", () => {
  const text = "aあ👍🏽é\u200dx한글 — ﷽ z";
  for (let width = 2; width < 20; width++) {
    const cut = wrapCells(text, width);
    expect(cut.join("")).toBe(text);
    expect(cut.every((row) => textWidth(row) <= width)).toBe(true);
  }
});

test.each([
  ["a\tb", "a   b"],
  ["\t", "    "],
  ["日\tb", "日  b"],
  ["abcd\tb", "abcd    b"],
])("tabs end at every fourth column: %j", (text, expanded) => {
  expect(withoutTabs(text)).toBe(expanded);
});
