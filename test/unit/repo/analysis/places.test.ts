import { describe, expect, test } from "bun:test";
import { createPlaces } from "../../../../src/repo/analysis/places.ts";

/** Asked first, and asked again, which is answered in another way. */
function near(paths: readonly string[], path: string): readonly string[] {
  const places = createPlaces(paths);
  const [first, second] = [places.near(path), places.near(path)].map((found) => [...found].sort());
  expect(second).toEqual(first ?? []);
  return first ?? [];
}

describe("createPlaces", () => {
  test("tells the files of a folder, and not those of folders in it", () => {
    const places = createPlaces(["a/x.ts", "a/y.ts", "a/b/z.ts", "top.ts", "ab/x.ts"]);
    expect(places.beside("a/x.ts")).toEqual(["a/x.ts", "a/y.ts"]);
    expect(places.beside("a/new.ts")).toEqual(["a/x.ts", "a/y.ts"]);
    expect(places.beside("new.ts")).toEqual(["top.ts"]);
    expect(places.beside("elsewhere/new.ts")).toEqual([]);
  });

  test("finds a word in a name or its folder, whatever its case, and no further up", () => {
    const paths = ["lib/session.ts", "t/SessionTest.ts", "session/t/open.ts", "t/session/open.ts"];
    expect(near(paths, "src/session.ts")).toEqual([
      "lib/session.ts",
      "t/SessionTest.ts",
      "t/session/open.ts",
    ]);
  });

  test("finds parts of words, and any of several", () => {
    const paths = ["a/reparsed.c", "b/headers.h", "c/pars.c"];
    expect(near(paths, "x/parse-header.c")).toEqual(["a/reparsed.c", "b/headers.h"]);
  });

  test("asks for no word that is too short to say anything", () => {
    expect(near(["a/io.c", "b/io.c", "b/x.c"], "b/io.c")).toEqual(["b/x.c"]);
  });

  test("takes names with line breaks and letters of all kinds for what they are", () => {
    const paths = ["c/two\nlines.md", "d/two\rlines.md", "e/ΣΟΦΙΑ.md"];
    expect(near(paths, "x/lines.md")).toEqual(["c/two\nlines.md", "d/two\rlines.md"]);
    expect(near(paths, "x/σοφια.md")).toEqual(["e/ΣΟΦΙΑ.md"]);
  });

  test("is no neighbour of itself", () => {
    expect(near(["a/one.ts", "a/two.ts"], "a/one.ts")).toEqual(["a/two.ts"]);
  });
});
