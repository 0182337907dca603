/** Sessions found by what was said in them: which, in what order, and why. */
import { describe, expect, test } from "bun:test";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { searchSessions } from "../../../../src/sessions/search/search.ts";
import type { TestIndex } from "../../../support/transcripts/index.ts";
import { told } from "../../../support/transcripts/told.ts";

function found({ database }: TestIndex, query: string): readonly string[] {
  return searchSessions(database, { words: [query], limit: 10 }).map(({ id }) => id);
}

describe("a search", () => {
  test("finds the words inside of identifiers, and identifiers as they are", async () => {
    await using index = await told({
      camel: { said: ["look", "parsePatchHeader fails"] },
      snake: { said: ["look", "read_git_config fails"] },
      path: { said: ["look", "src/lockFile.ts is old"] },
    });
    expect(found(index, "patch")).toEqual(["camel"]);
    expect(found(index, "parsePatchHeader")).toEqual(["camel"]);
    expect(found(index, "git config")).toEqual(["snake"]);
    expect(found(index, "lock")).toEqual(["path"]);
  });

  test("takes words by their stem, by their beginning with a star, and in quotes as they stand", async () => {
    await using index = await told({
      one: { said: ["we connected the sockets late"] },
      two: { said: ["sockets we connected late; reconciliation"] },
    });
    expect(found(index, "connecting").toSorted()).toEqual(["one", "two"]);
    expect(found(index, "recon*")).toEqual(["two"]);
    expect(found(index, "recon")).toEqual([]);
    expect(found(index, '"connected the sockets"')).toEqual(["one"]);
  });

  test("does not stumble over the words of a question, unless there are no others", async () => {
    await using index = await told({
      asked: { said: ["why is this the way that it is, and who was it for"] },
      meant: { said: ["the retry budget", "set it to three"] },
    });
    expect(found(index, "why is it that we have this retry budget")).toEqual(["meant"]);
    expect(found(index, "who was it for")).toContain("asked");
  });

  test("puts what a session is called before what is said in passing", async () => {
    // A word that half of all sessions hold says nothing.
    const others = Array.from({ length: 8 }, (_, at) => [`o${at}`, { said: ["something else"] }]);
    await using index = await told({
      ...Object.fromEntries(others),
      passing: { said: ["fix the tests", "the ledger is fine, the tests pass"] },
      called: { title: "Ledger rounding", said: ["it is off by a cent", "mended"] },
    });
    expect(found(index, "ledger")).toEqual(["called", "passing"]);
  });

  test("shows where: the best messages, around the words", async () => {
    await using index = await told({
      long: { said: ["go", `${"padding ".repeat(200)}the needle is here ${"more ".repeat(200)}`] },
    });
    const [session] = searchSessions(index.database, { words: ["needle"], limit: 1 });
    const [hit] = session?.hits ?? [];
    expect(hit).toMatchObject({ role: "assistant", kind: "message", line_no: 2000 });
    expect(hit?.snippet).toStartWith("… padding");
    expect(hit?.snippet).toContain("the needle is here");
    expect([...(hit?.snippet ?? "")].length).toBeLessThanOrEqual(240);
  });
});

test("a session is named by the whole of its id before its beginning, and by that before a part", async () => {
  await using index = await told({
    ab: { said: ["1"] },
    abc: { said: ["2"] },
    xab: { said: ["3"] },
  });
  const shown = (id: string) => showSession(index.database, { id }).session.id;
  expect([shown("ab"), shown("abc"), shown("xa"), shown("x")]).toEqual(["ab", "abc", "xab", "xab"]);
  expect(() => shown("b")).toThrow("more than one session");
  expect(() => shown("a%")).toThrow("there is no session");
});

test("no session is meant by no id, even where there is only one", async () => {
  await using index = await told({ only: { said: ["1"] } });
  for (const id of ["", " "]) {
    expect(() => showSession(index.database, { id })).toThrow("there is no session");
  }
});

test("the beginning of an id counts before a part of another", async () => {
  await using index = await told({ fit: { said: ["1"] }, misfit: { said: ["2"] } });
  expect(showSession(index.database, { id: "fi" }).session.id).toBe("fit");
});
