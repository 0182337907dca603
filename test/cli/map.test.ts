/** `pallium map`: the table, the document and the page. */
import { expect, test } from "bun:test";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { mapOutput } from "../../src/operations/map-schema.ts";
import { PALLIUM } from "../support/cli.ts";
import { type RepoCli, repoCli } from "../support/repo-cli.ts";
import { onTerminal, plain } from "../support/terminal.ts";

const text = (lines: number, last = "") => `${"line\n".repeat(lines - 1)}${last}\n`;

/** `src/core.ts` is long, changes with every commit and is mended twice. */
async function busy(): Promise<RepoCli> {
  const cli = await repoCli();
  await cli.repo.commit("first", {
    "src/core.ts": text(200),
    "src/quiet.ts": text(300),
    "test/core.test.ts": text(900),
    "README.md": text(500),
    "logo.png": new Uint8Array([0, 1, 2]),
  });
  for (const [at, message] of ["add", "fix: a crash", "fix: another", "more"].entries()) {
    await cli.repo.commit(message, {
      "src/core.ts": text(200, `${at}`),
      "test/core.test.ts": text(900, `${at}`),
    });
  }
  await cli.json(["index"]);
  return cli;
}

test("names the hotspots, code only, with what makes them some", async () => {
  await using cli = await busy();
  const { stdout } = await cli.pallium(["map"]);
  expect(stdout).toMatch(/^Hotspots of .+ \(5 files, 1,900 lines\)\n\nFile +Lines +Commits/);
  expect(stdout).toMatch(
    /^src\/core\.ts {3} +200 +5 +2 +█{10} +\d+ low +200 lines; 5 commits, \w+ of them in 90 days; 2 of 5 fixed something$/m,
  );
  expect(stdout).toMatch(/^src\/ +2 +500 +6 +2 +0$/m);
  expect(stdout).not.toContain("README");
  expect(stdout).not.toContain("core.test");
});

test("as a document: the hotspots, the folders, and all files as a tree, as the schema says", async () => {
  await using cli = await busy();
  await cli.repo.write({ "src/new.ts": text(7), "src/quiet.ts": null });
  const report = await cli.json<Record<string, unknown>>(["map", "--limit", "1"]);
  expect(mapOutput.safeParse(report).error?.issues ?? []).toEqual([]);
  expect(report).toMatchObject({
    branch: "main",
    hotspots: [{ path: "src/core.ts", lines: 200, commits: 5, fixes: 2, fix_share: 0.4 }],
    folders: [
      { path: "test", files: 1 },
      { path: "src", files: 2, lines: 207 },
    ],
    tree: {
      path: "",
      files: 5,
      children: [
        { path: "README.md", kind: "other", lines: 500 },
        { path: "logo.png", lines: 0 },
        {
          path: "src",
          children: [{ path: "src/core.ts" }, { path: "src/new.ts", commits: 0, level: "unknown" }],
        },
        { path: "test", children: [{ path: "test/core.test.ts", kind: "test" }] },
      ],
    },
  });
});

test("a table fits a terminal of 80 columns, names are cut in front; 200 have room for reasons", async () => {
  await using cli = await busy();
  const long = `src/${"folder/".repeat(12)}deep.ts`;
  await cli.repo.commit("deep", { [long]: text(100) });
  const options = { cwd: cli.repo.path };
  const narrow = await onTerminal([...PALLIUM, "map"], { ...options, columns: 80 });
  const lines = narrow.split("\n").map(plain);
  expect(lines.slice(1).every((line) => line.length <= 80)).toBe(true);
  expect(lines.some((line) => /^…\S*\/deep\.ts +100 /.test(line))).toBe(true);
  expect(narrow).not.toContain("of them in 90 days");
  expect(narrow).toContain("\u001b[");
  const wide = await onTerminal([...PALLIUM, "map"], { ...options, columns: 200 });
  expect(wide).toContain(long);
  expect(wide).toContain("of them in 90 days");
  const colourless = await onTerminal([...PALLIUM, "map", "--no-color"], {
    ...options,
    columns: 80,
  });
  expect(colourless).not.toContain("\u001b");
});

test("names that a terminal would obey are written out", async () => {
  await using cli = await repoCli();
  const name = "a\u001b[2J\u202e\n.ts";
  await cli.repo.commit("one", { [name]: text(30) });
  await cli.json(["index"]);
  const { stdout } = await cli.pallium(["map"]);
  expect(stdout).toContain("a\\u{1b}[2J\\u{202e}\\u{a}.ts ");
  const screen = await onTerminal([...PALLIUM, "map"], { cwd: cli.repo.path, columns: 80 });
  expect(screen).not.toContain("\u001b[2J");
  expect(screen).not.toContain("\u202e");
});

test("writes a page, says where, and writes it again", async () => {
  await using cli = await busy();
  const first = await cli.pallium(["map", "--html", "map.html"]);
  expect(first.stdout).toBe(`Map written to ${cli.repo.join("map.html")}\n`);
  const page = await readFile(cli.repo.join("map.html"), "utf8");
  expect(page.startsWith("<!doctype html>")).toBe(true);
  expect(page.includes('"path":"src/core.ts"')).toBe(true);
  expect((await stat(cli.repo.join("map.html"))).mode & 0o777).toBe(0o644);
  const report = await cli.json<{ html_path: string }>(["map", "--html", "map.html"]);
  expect(report.html_path).toBe(cli.repo.join("map.html"));
});

test("writes over nothing that is no map, unless told to, and never over what is no file", async () => {
  await using cli = await busy();
  await writeFile(cli.repo.join("notes.html"), "<p>mine</p>");
  await mkdir(cli.repo.join("folder"));
  await symlink("nowhere", cli.repo.join("dangling"));
  for (const name of ["notes.html", "folder", "dangling"]) {
    expect(await cli.failure(["map", "--html", name])).toMatchObject({ code: "file_exists" });
  }
  expect(await readFile(cli.repo.join("notes.html"), "utf8")).toBe("<p>mine</p>");
  for (const name of ["folder", "dangling", "/dev/null"]) {
    expect(await cli.failure(["map", "--html", name, "--force"])).toMatchObject({
      code: "file_exists",
    });
  }
  await cli.json(["map", "--html", "notes.html", "--force"]);
  expect(await readFile(cli.repo.join("notes.html"), "utf8")).toContain("pallium map");
});

test("says what it needs", async () => {
  await using cli = await repoCli();
  await cli.repo.commit("one", { "a.md": "a\n" });
  expect(await cli.failure(["map"])).toMatchObject({ code: "not_indexed" });
  await cli.json(["index"]);
  const { stdout } = await cli.pallium(["map"]);
  expect(stdout).toContain("None: there is no code with a history.");
  for (const flags of [["--limit", "0"], ["--html", ""], ["--force"]]) {
    expect(await cli.failure(["map", ...flags])).toMatchObject({ code: "usage" });
  }
});
