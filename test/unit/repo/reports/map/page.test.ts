/** The page holds names that anybody may have chosen, and asks nothing of the network. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { parse } from "acorn";
import { mapPage, PAGE_MARK } from "../../../../../src/repo/reports/map-page.ts";
import { file, mapOf } from "../../../../support/map-files.ts";

const HOSTILE = [
  "<script>alert(1)<!--.ts",
  "<!--<script>.ts",
  "]]>&amp;'\".ts",
  "line\nbreak\u0007.ts",
  "safe\u202egnp.ts",
  "\u2028.ts",
];

const page = mapPage(
  mapOf([file("</script><script>alert(1)</script>/end.ts"), ...HOSTILE.map((name) => file(name))], {
    repo_root: '/somewhere/<img src=x onerror=alert(1)>&"',
  }),
);

/** The texts of all elements of a name, as a browser would end them. */
function contents(name: string): readonly string[] {
  return [...page.matchAll(new RegExp(`<${name}\\b[^>]*>(.*?)</${name}>`, "gs"))].map(
    ([, text = ""]) => text,
  );
}

function data() {
  return JSON.parse(contents("script")[0] ?? "");
}

test("no name ends the element it stands in, begins another, or hides what it is", () => {
  expect(contents("script")).toHaveLength(2);
  expect(page.includes("<script>alert")).toBe(false);
  expect(page.includes("<img")).toBe(false);
  const names = data().tree.children.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual([
    "<!--<script>.ts",
    "</script><script>alert(1)</script>",
    "<script>alert(1)<!--.ts",
    "\\u{2028}.ts",
    "]]>&amp;'\".ts",
    "line\\u{a}break\\u{7}.ts",
    "safe\\u{202e}gnp.ts",
  ]);
  expect(contents("title")).toEqual(["&lt;img src=x onerror=alert(1)&gt;&amp;&quot;: hotspots"]);
});

test("the policy allows this script and this style, and nothing else", () => {
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
  const digest = (text = "") => createHash("sha256").update(text).digest("base64");
  const [style] = contents("style");
  expect(policy).toBe(
    `default-src 'none'; script-src 'sha256-${digest(contents("script")[1])}'; style-src 'sha256-${digest(style)}'`,
  );
  const plain = mapPage(mapOf([file("src/a.ts")]));
  expect(/https?:|\bsrc=|\bhref=|url\(|@import/.exec(plain)).toBeNull();
});

test("the modules of the script are one program: no name twice, none missing", () => {
  const script = contents("script")[1] ?? "";
  expect(() => parse(script, { ecmaVersion: "latest", sourceType: "module" })).not.toThrow();
  expect(/^(?:import|export) /m.exec(script)).toBeNull();
});

test("a page says what it is near its beginning", () => {
  expect(page.indexOf(PAGE_MARK)).toBeLessThan(500);
});

test("documents are shown from the start only where there is no code", () => {
  const box = /value="other"( checked)?>/;
  expect(box.exec(page)?.[1]).toBeUndefined();
  expect(box.exec(mapPage({ ...mapOf([]), hotspots: [] }))?.[1]).toBe(" checked");
});

test("what has no rectangle is counted", () => {
  const files = Array.from({ length: 5200 }, (_, at) => file(`a/${at}.ts`));
  const text = mapPage({ ...mapOf([...files, file("b.png", { lines: 0 })]), hotspots: [] });
  for (const said of [
    "<p>5,201 files · 52,000 lines · main at 01234567, 2026-09-02</p>",
    "201 files too small to be drawn stand together.",
    "1 file without lines of text left out.",
  ]) {
    expect({ said, isThere: text.includes(said) }).toEqual({ said, isThere: true });
  }
});
