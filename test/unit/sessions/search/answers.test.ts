/** Which session answers a question, and which only repeats it. */
import { describe, expect, test } from "bun:test";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import { idsFound, OTHERS, told } from "../../../support/transcripts/told.ts";

describe("a question put to session memory", () => {
  const QUESTION = "how did we fix the rounding of the billing total?";
  const ANSWER = {
    said: [
      "the invoice is off by a cent",
      "The total is right now: rounding happens once, in billing",
    ],
  };

  test("is not answered by a session that searched for it", async () => {
    const ran = `pallium sessions search "${QUESTION}"`;
    await using index = await told({
      ...OTHERS,
      answer: ANSWER,
      searcher: {
        said: [
          "go on with the release",
          {
            ran,
            brought: "answer  the invoice\n  how did we fix the rounding of the billing total",
          },
          "nothing to be done there",
        ],
      },
    });
    expect(idsFound(index, QUESTION).slice(0, 2)).toEqual(["answer", "searcher"]);
  });

  test("is not answered by a session that asked it, or looked for its words elsewhere", async () => {
    await using index = await told({
      ...OTHERS,
      answer: ANSWER,
      asker: { said: [QUESTION, "I do not know"] },
      grepper: { said: ["look", { ran: `rg "${QUESTION}" docs`, brought: "" }, "no"] },
    });
    expect(idsFound(index, QUESTION)[0]).toBe("answer");
  });

  test("is not answered by a search in other words, nor by what that brought", async () => {
    const ran = 'pallium sessions search "billing rounding"';
    await using index = await told({
      ...OTHERS,
      answer: {
        said: ["the invoice is off", `rounding once, ${"as it was ".repeat(9)}in billing`],
      },
      searcher: {
        said: [
          "go on",
          { ran: "ls", brought: "a b" },
          { ran, brought: "found: rounding, billing" },
          "no",
        ],
      },
    });
    expect(idsFound(index, "billing rounding").slice(0, 2)).toEqual(["answer", "searcher"]);
  });

  test("is not answered by a search with a tool of another program", async () => {
    await using index = await told({
      ...OTHERS,
      answer: { said: ["go", "billing has some rounding in it, and more"] },
    });
    const name = "mcp__pallium__sessions_search";
    const call = { type: "tool_use", id: "t", name, input: { words: "billing rounding" } };
    const message = { role: "assistant", content: [call] };
    const record = { type: "assistant", sessionId: "searcher", uuid: "u", message };
    await index.write("claude/projects/p/searcher.jsonl", `${JSON.stringify(record)}\n`);
    await index.index();
    expect(idsFound(index, "billing rounding").slice(0, 2)).toEqual(["answer", "searcher"]);
  });

  test.each([
    ["a statement", "token lock expires early"],
    ["a few words", "who broke locks"],
  ])("is repeated by nobody where it is %s: that is what was looked for", async (_, text) => {
    await using index = await told({
      ...OTHERS,
      a_said: { said: [text, "no"] },
      b_named: { said: ["go", `${text.split(" ").toReversed().join(" of ")} and more`] },
    });
    expect(idsFound(index, text).slice(0, 2)).toEqual(["a_said", "b_named"]);
  });

  test("is not repeated by a message that says much more", async () => {
    const more = "I saw it twice in the log of last night, near the end, and it was not the disk";
    await using index = await told({
      ...OTHERS,
      a_said: { said: [`who broke the token lock? ${more}`, "no"] },
      b_named: { said: ["go", `broke a lock, then a token. ${more}`] },
    });
    expect(idsFound(index, "who broke the token lock?").slice(0, 2)).toEqual(["a_said", "b_named"]);
  });

  test("is not answered by a session that is called by it", async () => {
    await using index = await told({
      ...OTHERS,
      answer: ANSWER,
      called: { title: QUESTION, said: [QUESTION, "I do not know"] },
    });
    expect(idsFound(index, QUESTION).slice(0, 2)).toEqual(["answer", "called"]);
  });

  test("is answered by the session that asked it, where that went on to answer", async () => {
    await using index = await told({
      ...OTHERS,
      asker: {
        said: [QUESTION, "the total was rounded twice in billing; I took the rounding out"],
      },
      other: { said: ["how are you", "the billing page is slow"] },
    });
    expect(idsFound(index, QUESTION)[0]).toBe("asker");
  });

  test("that nobody answered is found where it was asked", async () => {
    await using index = await told({ ...OTHERS, asker: { said: [QUESTION, "I do not know"] } });
    expect(idsFound(index, QUESTION)[0]).toBe("asker");
  });
});

describe("a session", () => {
  // Of equals the later comes first, and they are read in the order of their names: the one that must win is the first.
  test("counts as a whole: where much is said of it before where it is named once", async () => {
    const other = ["tea and", "cake and", "more tea"];
    await using index = await told({
      ...OTHERS,
      much: { said: ["go", "a scheduler", ...other, "a scheduler", ...other, "a scheduler"] },
      once: { said: ["go", "a scheduler", ...other, "a teapot on", ...other, "a teapot on"] },
    });
    expect(idsFound(index, "scheduler")).toEqual(["much", "once"]);
  });

  test("counts by its length: what long ones hold in passing says less", async () => {
    const passing = Array.from({ length: 40 }, (_, at) => `step ${at} of other work`);
    await using index = await told({
      ...OTHERS,
      a_short: { said: ["go", "a scheduler"] },
      b_long: { said: ["go", ...passing, "a scheduler", ...passing] },
    });
    expect(idsFound(index, "scheduler")).toEqual(["a_short", "b_long"]);
  });

  test("with all words of the question comes before one that has one of them often", async () => {
    await using index = await told({
      ...OTHERS,
      both: { said: ["go", "the retry budget of the uploader"] },
      often: { said: ["go", "retry retry", "retry again", "and retry"] },
    });
    expect(idsFound(index, "retry budget uploader")[0]).toBe("both");
  });

  test("is found by words near each other before one that has them far apart", async () => {
    await using index = await told({
      ...OTHERS,
      a_near: {
        said: ["go", "we set the token lock there and then looked at pages of other things"],
      },
      b_apart: {
        said: ["go", "the token of pages there and then we looked at other things, a lock"],
      },
    });
    expect(idsFound(index, "token lock")).toEqual(["a_near", "b_apart"]);
  });

  test("is found by other forms of a word", async () => {
    await using index = await told({
      went: { said: ["go", "who broke it? the cache was rebuilt"] },
    });
    expect(idsFound(index, "what breaks the cache")).toEqual(["went"]);
  });
});

describe("a time in a question", () => {
  const sessions = {
    may: { at: "2023-05-08T13:00:00.000Z", said: ["hello", "the deploy went well"] },
    july: { at: "2023-07-03T13:00:00.000Z", said: ["hello", "the deploy was fine"] },
    friday: { at: "2026-11-27T09:00:00.000Z", said: ["hello", "the deploy hung"] },
  };
  const now = new Date("2026-12-03T10:00:00.000Z");

  test.each([
    ["how did the deploy go in May 2023", "may"],
    ["deploy on 3 July 2023", "july"],
    ["deploy July 3rd", "july"],
    ["the deploy of 2023-07-03", "july"],
    ["the deploy last week", "friday"],
    ["the deploy on Friday", "friday"],
    ["what did we do last month", "friday"],
    ["what was done in July 2023", "july"],
  ])("%p is about the session of that time", async (question, id) => {
    await using index = await told(sessions);
    expect(idsFound(index, question, { now })[0]).toBe(id);
  });
});

describe("a word that occurs nowhere", () => {
  test("is taken for the nearest one, and that is said", async () => {
    await using index = await told({
      ...OTHERS,
      meant: { said: ["go", "Receiving of mails is slow"] },
    });
    const warnings: string[] = [];
    const found = searchSessions(index.database, { words: ["recieving"], limit: 5 }, (line) =>
      warnings.push(line),
    );
    expect(found.map(({ id }) => id)).toEqual(["meant"]);
    expect(warnings).toEqual(['no message holds "recieving"; looked for "receiving" instead']);
    expect(found[0]?.hits[0]?.matches).toEqual([[0, 9]]);
  });

  test.each([
    ["tokne", "tokens"],
    ["tkoens", "tokens"],
    ["cnofgiuration", "configuration"],
    ["markez", "market"],
  ])("%p is taken for %p", async (typed, meant) => {
    await using index = await told({
      marker: { said: ["go", "a marker"] },
      meant: { said: ["go", "tokens, configuration and a market", "another market"] },
    });
    const warnings: string[] = [];
    const request = { words: [typed], limit: 5 };
    const found = searchSessions(index.database, request, (line) => warnings.push(line));
    expect(found.map(({ id }) => id)).toEqual(["meant"]);
    expect(warnings.join()).toEndWith(`looked for "${meant}" instead`);
  });

  test.each(["server3", "recievi*", '"recieving mails"'])(
    "%p is no word that could be spelled wrong",
    async (typed) => {
      await using index = await told({ ...OTHERS, one: { said: ["server2", "Receiving mails"] } });
      expect(idsFound(index, typed)).toEqual([]);
    },
  );

  test.each(["zzqqvv", "tset", "x123456"])("%p is left where nothing is near", async (word) => {
    await using index = await told(OTHERS);
    const warnings: string[] = [];
    expect(
      searchSessions(index.database, { words: [word], limit: 5 }, (line) => warnings.push(line)),
    ).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe("filters", () => {
  test("weakness 19 of sessions: a search keeps to what one of them said", async () => {
    await using index = await told({
      ...OTHERS,
      asked: { said: ["a ledger please", "here"] },
      done: { said: ["go", { ran: "make ledger", brought: "ledger made" }] },
    });
    expect(idsFound(index, "ledger", { role: "user" })).toEqual(["asked"]);
    expect(idsFound(index, "ledger", { role: "tool" })).toEqual(["done"]);
    expect(idsFound(index, "ledger", { provider: "codex" })).toEqual([]);
    expect(idsFound(index, "ledger", { since: "2026-12-02T00:00:00.000Z" })).toEqual([]);
  });
});

test("weakness 17 of sessions: a question in plain language finds what its words are in", async () => {
  await using index = await told({
    ...OTHERS,
    meant: { said: ["go", "foo.bar fetches http://x/y and it's NOT cached"] },
  });
  for (const question of [
    "what's foo.bar?",
    "is it NOT cached",
    "why http://x/y",
    "(foo",
    "it's* foo",
  ]) {
    expect(idsFound(index, question)[0]).toBe("meant");
  }
});
