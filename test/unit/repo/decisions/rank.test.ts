import { describe, expect, test } from "bun:test";
import type { Message } from "../../../../src/repo/decisions/messages.ts";
import { rankMessages, reasonScore } from "../../../../src/repo/decisions/rank.ts";
import { queryWords } from "../../../../src/repo/decisions/words.ts";

function message(subject: string, body = "", committedAt = 0): Message {
  return { hash: subject, subject, body, committedAt };
}

function ranked(question: string, ...messages: Message[]): string[] {
  return rankMessages(messages, queryWords(question), 10).map(({ subject }) => subject);
}

describe("the ranking of messages", () => {
  test("puts what is asked for in the subject before what the body mentions", () => {
    const body = message("Bump", "touches the lock in passing, among many other things it does");
    expect(ranked("index lock", body, message("Lock the index"))).toEqual([
      "Lock the index",
      "Bump",
    ]);
  });

  test("knows words by their stem", () => {
    expect(ranked("why is indexing slow", message("Index faster"), message("Other"))).toEqual([
      "Index faster",
    ]);
  });

  test("puts a message that gives the reason before one that only mentions it", () => {
    const reason = message("Keep the list", "Cached, because reading the list took a second.");
    expect(ranked("cache the list", message("Cache the list of it"), reason)[0]).toBe(
      "Cache the list of it",
    );
    const bare = message("Keep the list", "Cached, and this reads the list in a second.");
    expect(rankMessages([bare, reason], ["cache", "list"], 1)).toEqual([reason]);
  });

  test("breaks ties by age and then by hash, the same each time (repo C23)", () => {
    const messages = [
      message("b cache", "", 1),
      message("a cache", "", 1),
      message("c cache", "", 2),
    ];
    expect(ranked("cache", ...messages)).toEqual(["c cache", "a cache", "b cache"]);
    expect(ranked("cache", ...messages.toReversed())).toEqual(["c cache", "a cache", "b cache"]);
  });
});

describe("the words of a question", () => {
  test("are those that tell something, each once, identifiers split as well", () => {
    expect(queryWords("Why is the parseArgs of parse_args so slow?")).toEqual([
      "parseargs",
      "parse",
      "args",
      "slow",
    ]);
  });

  test("are the small ones where there are no others", () => {
    expect(queryWords("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  });
});

test("a message that gives reasons scores by how many", () => {
  expect(reasonScore(message("Bump version"))).toBe(0);
  expect(reasonScore(message("Reject empty tokens"))).toBeCloseTo(1 / 6);
  expect(
    reasonScore(message("Use A instead of B", "decided because it is faster, rather than C")),
  ).toBe(1);
});
