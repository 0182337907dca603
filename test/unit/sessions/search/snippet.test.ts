/** What is shown of a message. */
import { describe, expect, test } from "bun:test";
import { grepMessages } from "../../../../src/sessions/search/grep.ts";
import { markerOf } from "../../../../src/sessions/search/marked-words.ts";
import { parseQuery } from "../../../../src/sessions/search/query.ts";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import { snippetOf } from "../../../../src/sessions/search/snippet.ts";
import { told } from "../../../support/transcripts/told.ts";

function shown(text: string, question: string) {
  const { snippet, matches } = snippetOf(text, markerOf(parseQuery(question).terms));
  const characters = [...snippet];
  return { snippet, marked: matches.map(([from, to]) => characters.slice(from, to).join("")) };
}

describe("a snippet", () => {
  test.each([
    ["we connected the sockets late", "connecting socket", ["connected", "sockets"]],
    ["parsePatchHeader fails in read_git_config", "patch git", ["parsePatchHeader", "git"]],
    ["reconciliation, reconciled", "recon*", ["reconciliation", "reconciled"]],
    ["he went to the café", "where did he go, cafe", ["he", "went", "café"]],
    ["nothing of it", "other words", []],
    ["src/footer of srcfile", "src/foo*", ["src", "footer"]],
    ["stop after stopping", "stopping", ["stop", "stopping"]],
    ["a query of queries", "queries", ["query", "queries"]],
  ])("of %p marks what %p asks for", (text, question, marked) => {
    expect(shown(text, question).marked).toEqual(marked);
  });

  test("is the part that holds the most of the words, not the first of them", () => {
    const text = `the lock ${"padding ".repeat(100)}a token lock expires ${"more ".repeat(100)}`;
    expect(shown(text, "token lock expires").snippet).toContain("a token lock expires");
  });

  test("begins with the text where that begins with the words", () => {
    const text = `far from the beginning a needle ${"more ".repeat(100)}`;
    expect(shown(text, "needle").snippet).toStartWith("far from the beginning");
  });

  test("is the first part of several that hold as many of the words", () => {
    const pad = "padding ".repeat(100);
    expect(shown(`alpha one ${pad} beta two ${pad} beta`, "alpha beta").snippet).toStartWith(
      "alpha",
    );
    expect(shown(`alpha one ${pad} alpha two`, "alpha").snippet).toStartWith("alpha one");
  });

  test("counts places in characters, and begins with a whole one", () => {
    const { snippet, marked } = shown(`${"🦀".repeat(100)}-needle`, "needle");
    expect(snippet.isWellFormed()).toBe(true);
    expect(marked).toEqual(["needle"]);
  });

  test("weakness 19 of sessions: keeps characters whole, and counts places in them", () => {
    const text = `${"🦀".repeat(400)} the needle ${"🦀".repeat(400)}`;
    const { snippet, marked } = shown(text, "needle");
    expect(snippet.isWellFormed()).toBe(true);
    expect([...snippet].length).toBeLessThanOrEqual(240);
    expect(marked).toEqual(["needle"]);
    const spaced = `needle ${" ".repeat(1870)}${"w".repeat(16)}${"🦀".repeat(99)}`;
    for (let blanks = 0; blanks < 2; blanks += 1) {
      expect(shown(`${" ".repeat(blanks)}${spaced}`, "needle").snippet.isWellFormed()).toBe(true);
    }
  });
});

describe("grep", () => {
  const said = [
    "go",
    "first",
    `far ${"away ".repeat(100)}then exit\n  137 came, exit 137`,
    "last",
    "end",
  ];

  test("weakness 16 of sessions: shows the text itself where it stands, and nothing without it", async () => {
    await using index = await told({ one: { said }, two: { said: ["exit", "137"] } });
    const [hit, ...others] = grepMessages(index.database, { text: "exit 137", limit: 5 });
    expect(others).toEqual([]);
    const characters = [...(hit?.snippet ?? "")];
    const marked = hit?.matches.map(([from, to]) => characters.slice(from, to).join(""));
    expect(marked).toEqual(["exit 137", "exit 137"]);
    expect(grepMessages(index.database, { text: "t\n  137 c", limit: 5 })[0]?.matches).toHaveLength(
      1,
    );
    expect(grepMessages(index.database, { text: "EXIT 137", limit: 5 })).toEqual([]);
    const folded = { text: "EXIT 137", limit: 5, ignore_case: true };
    expect(grepMessages(index.database, folded)[0]?.matches).toHaveLength(2);
  });

  test("weakness 16 of sessions: shows the place however far it is in the text", async () => {
    const long = `${"padding ".repeat(20_000)}deep needle ${"more ".repeat(100)}`;
    await using index = await told({ one: { said: ["go", long] } });
    const [hit] = grepMessages(index.database, { text: "deep needle", limit: 1 });
    expect(hit?.snippet).toContain("deep needle");
    expect(hit?.matches).toHaveLength(1);
  });

  test.each([
    "s nai\u0308ve w",
    "x cafe\u0301s ha",
    " \ue0a0main branch",
    "हिन्दी भाषा और",
    "k 𞤀𞤁 y",
    "世界 z",
    "İ IŞIK ı",
  ])("finds %j, whatever its letters are made of", async (text) => {
    await using index = await told({ one: { said: ["go", `before${text}after`] } });
    expect(grepMessages(index.database, { text, limit: 1 })).toHaveLength(1);
    const folded = { text, limit: 1, ignore_case: true };
    expect(grepMessages(index.database, folded)).toHaveLength(1);
  });

  test("gives what was said before and after, as search does", async () => {
    await using index = await told({ one: { said } });
    const [hit] = grepMessages(index.database, { text: "exit 137", limit: 1, context: 2 });
    expect(hit?.before?.map(({ snippet }) => snippet)).toEqual(["go", "first"]);
    expect(hit?.after?.map(({ snippet }) => snippet)).toEqual(["last", "end"]);
    const [session] = searchSessions(index.database, { words: ["first"], limit: 1, context: 1 });
    const [place] = session?.hits ?? [];
    expect(place?.before?.map(({ snippet }) => snippet)).toEqual(["go"]);
    expect(place?.after?.map(({ line_no: line }) => line)).toEqual([3000]);
    const [without] = grepMessages(index.database, { text: "exit 137", limit: 1 });
    expect(without).not.toHaveProperty("before");
  });

  test("weakness 18 of sessions: names a session without a title by what was first asked", async () => {
    await using index = await told({
      named: { title: "Exits", said: ["why", "it was exit 137"] },
      unnamed: { said: ["why did it end", "by exit 137"] },
    });
    const hits = grepMessages(index.database, { text: "exit 137", limit: 5 });
    const titles = hits.map(({ session_id: id, title }) => [id, title]);
    expect(Object.fromEntries(titles)).toEqual({ named: "Exits", unnamed: "why did it end" });
  });
});
