/** What was asked, as terms for the index of words. */
import { describe, expect, test } from "bun:test";
import { parseQuery } from "../../../../src/sessions/search/query.ts";

function terms(text: string): readonly string[] {
  return parseQuery(text).terms.map(({ match }) => match);
}

describe("a query", () => {
  test.each<[string, readonly string[]]>([
    ["", []],
    ['"', []],
    ["*", []],
    ["🦀", []],
    ["AND OR", ['"and"', '"or"']],
    ["a.b", ['"a b"', '"b"']],
    ["foo-bar* baz", ['"foo bar"*', '"foo"', '"bar"', '"baz"']],
    ['"exact words" loose', ['"exact words"', '"loose"']],
    ["twice twice", ['"twice"']],
    ["what's the retry budget?", ['"retry"', '"budget"']],
    ["who wasn't it for", ['"who"', '"was"', '"it"', '"for"']],
    ["parsePatch", ['"parsepatch" OR "parse patch"']],
    ["is-it the token", ['"is it"', '"token"']],
    ["the* token", ['"the"*', '"token"']],
    ["a runt", ['"runt"']],
    ["it went missing", ['"went" OR "go" OR "goes" OR "gone"', '"missing"']],
  ])("%p is %p for the index", (text, matches) => {
    expect(terms(text)).toEqual(matches);
  });

  test("takes a path as a whole first, and its parts for less", () => {
    const { terms: found } = parseQuery("src/lock.ts");
    expect(found.map(({ match, weight }) => [match, weight < 1])).toEqual([
      ['"src lock ts"', false],
      ['"src"', true],
      ['"lock"', true],
      ['"ts"', true],
    ]);
  });

  test("counts a word in full that is asked for alone too", () => {
    for (const text of ["src/lock lock", "lock src/lock"]) {
      expect(parseQuery(text).terms.find(({ match }) => match === '"lock"')?.weight).toBe(1);
    }
  });

  test("has its telling words behind however many others", () => {
    expect(terms(`${"what is the ".repeat(40)}ledger`)).toEqual(['"ledger"']);
  });

  test("takes no more terms than a question has", () => {
    expect(terms(Array.from({ length: 500 }, (_, at) => `w${at}`).join(" "))).toHaveLength(64);
  });
});
