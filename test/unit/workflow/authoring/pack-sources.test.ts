import { describe, expect, test } from "bun:test";
import { parseManifest } from "../../../../src/workflow/authoring/sources/manifest.ts";
import { isSource, readSource } from "../../../../src/workflow/authoring/sources/source.ts";

describe("a word", () => {
  test.each(["security-audit", "a.b_c", "review"])("%p names a pack", (word) => {
    expect(isSource(word)).toBe(false);
  });

  test.each([
    [".", "folder"],
    ["..", "folder"],
    ["./packs", "folder"],
    ["/srv/packs", "folder"],
    ["sub/packs", "folder"],
    ["https://host/team/packs.git", "git"],
    ["ssh://git@host/packs", "git"],
    ["file:///srv/packs.git", "git"],
    ["git@host.example:team/packs.git", "git"],
  ] as const)("%p names a source, a %s", (word, kind) => {
    expect(isSource(word)).toBe(true);
    expect(readSource(word)).toMatchObject({ source: { kind, shown: word } });
    expect(readSource(`${word}#one`)).toMatchObject({ source: { kind, shown: word }, pack: "one" });
  });

  test.each(["ext::sh -c id", "http://host/x.git", "git://host/x", "-x/y", "fd::17", "file::x"])(
    "%p is refused",
    (word) => {
      expect(() => readSource(word)).toThrow("not an address that packs are read from");
    },
  );

  test("is shown without who asks", () => {
    expect(readSource("https://me:secret@host/x.git").source.shown).toBe("https://host/x.git");
    expect(() => readSource("http://me:secret@host/x.git")).toThrow("from: http://host/x.git");
  });

  test.each(["#x", "./packs#"])("%p is half of one", (word) => {
    expect(() => readSource(word)).toThrow(`not a source of packs: ${word}`);
  });
});

describe("a manifest", () => {
  const one = { name: "a", script: "./a.js", version: "1.0.0", tags: ["t"], other: 1 };

  test("describes one pack or several", () => {
    const read = { name: "a", script: "a.js", version: "1.0.0", tags: ["t"] };
    expect(parseManifest(JSON.stringify(one))).toEqual({ packs: [read] });
    expect(parseManifest(JSON.stringify({ packs: [one] }))).toEqual({ packs: [read] });
  });

  test.each([
    ["nothing", "is no JSON object"],
    ["[]", "is no JSON object"],
    ['{"packs": {}}', "has `packs`, which is no list"],
    ['{"packs": []}', "lists no pack"],
    ['{"packs": [1]}', "is wrong: packs[0]: is no object"],
    ['{"name": "a"}', "is wrong: `script` is missing, or no text"],
    ['{"script": "a.js"}', "is wrong: `name` is missing, or no text"],
    ['{"name": "a", "script": "a.js", "tags": "x"}', "is wrong: `tags` is no list of texts"],
    ['{"name": "a", "script": "a.js", "version": 1}', "is wrong: `version` is no text"],
    [
      '{"packs": [{"name": "a", "script": "a.js"}, {"name": "a", "script": "b.js"}]}',
      "has two packs called a",
    ],
  ])("that holds %s is refused", (text, fault) => {
    expect(parseManifest(text)).toEqual({ fault });
  });

  test.each(["../a.js", "/etc/a.js", "a/../../b.js", "..\\a.js"])(
    "does not lead to %s (X3)",
    (script) => {
      expect(parseManifest(JSON.stringify({ ...one, script }))).toEqual({
        fault: `is wrong: \`script\` leads out of the source: ${script}`,
      });
    },
  );
});
