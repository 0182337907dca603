/** `workflow library` with packs of folders and git repositories, through the real program. */
import { describe, expect, test } from "bun:test";
import { chmod, exists, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { InstalledPack } from "../../src/workflow/authoring/library.ts";
import type { WorkflowPack } from "../../src/workflow/authoring/packs/catalogue.ts";
import { type TestRepository, testRepository } from "../support/repository.ts";
import { errorOf, type WorkflowHome, workflowHome } from "../support/workflow.ts";

const NOTES = `export const meta = { name: "notes", description: "From meta.", phases: ["read", "write"] };
phase("read");
const seen = await agent("read");
phase("write");
return seen;
`;
const ENTRY = {
  name: "release-notes",
  version: "1.2.0",
  script: "notes/release.js",
  tags: ["release"],
};
const FILES = {
  "pallium-pack.json": JSON.stringify({ packs: [ENTRY, { name: "plain", script: "plain.js" }] }),
  "notes/release.js": NOTES,
  "plain.js": 'return "plain";\n',
};
const LIBRARY = ["workflow", "library"];

interface Packs extends AsyncDisposable {
  readonly home: WorkflowHome;
  readonly repo: TestRepository;
  readonly url: string;
  json<T>(...args: string[]): Promise<T>;
  /** Code and message of a command that must fail. */
  refused(...args: string[]): Promise<{ code: string; message: string; exitCode: number }>;
  /** Path of a saved workflow. */
  saved(name: string): string;
}

async function packs(files: Readonly<Record<string, string>> = FILES): Promise<Packs> {
  const home = await workflowHome();
  const repo = await testRepository();
  await repo.commit("packs", files);
  return {
    home,
    repo,
    url: `file://${repo.path}`,
    json: (...args) => home.json([...LIBRARY, ...args]),
    refused: async (...args) => {
      const { stderr, exitCode } = await home.pallium([...LIBRARY, ...args, "--json"]);
      const { code, message } = errorOf(stderr);
      expect(await exists(join(home.directory, ".pallium/workflows"))).toBe(false);
      return { code, message, exitCode };
    },
    saved: (name) => join(home.directory, ".pallium/workflows", `${name}.js`),
    [Symbol.asyncDispose]: async () => {
      await home[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

describe("packs of a folder", () => {
  test("are listed, shown, installed and run", async () => {
    await using its = await packs();
    const from = its.repo.path;
    const list = await its.json<WorkflowPack[]>("list", "--from", from);
    expect(list).toEqual([
      {
        name: "release-notes",
        version: "1.2.0",
        description: "From meta.",
        tags: ["release"],
        installs_as: "release-notes",
        phases: ["read", "write"],
      },
      {
        name: "plain",
        version: "0.0.0",
        description: "",
        tags: [],
        installs_as: "plain",
        phases: [],
      },
    ]);
    const shown = await its.json<WorkflowPack>("show", `${from}#release-notes`);
    expect(shown).toEqual(list[0] as WorkflowPack);
    expect(await its.json<WorkflowPack>("show", "release-notes", "--from", from)).toEqual(shown);

    const done = await its.json<InstalledPack>("install", `${from}#plain`, "--name", "mine");
    expect(done).toMatchObject({ workflow: "mine", path: its.saved("mine"), source: from });
    for (const [name, document] of [
      ["workflow.library.list", list],
      ["workflow.library.show", shown],
      ["workflow.library.install", done],
    ] as const) {
      expect(outputs[name].safeParse(document).error?.issues ?? []).toEqual([]);
    }
    const { stdout } = await its.home.pallium(["workflow", "run", "/mine"]);
    expect(stdout).toContain("plain");
  });

  test("are named from where they are used, and the only one need not be", async () => {
    await using its = await packs({
      "pallium-pack.json": JSON.stringify(ENTRY),
      "notes/release.js": NOTES,
    });
    await mkdir(join(its.home.directory, "sub"));
    const { stdout } = await its.home.pallium(
      [
        ...LIBRARY,
        "install",
        relative(join(its.home.directory, "sub"), its.repo.path),
        "--cwd",
        ".",
      ],
      { cwd: join(its.home.directory, "sub") },
    );
    const path = join(its.home.directory, "sub/.pallium/workflows/release-notes.js");
    expect(stdout).toBe(
      `Installed workflow pack release-notes as /release-notes at ${path}\nFrom: ${its.repo.path}\n`,
    );
    expect(await readFile(path, "utf8")).toBe(NOTES);
  });

  test("without a manifest are its scripts with a meta block, and its saved workflows", async () => {
    await using its = await packs({
      "notes.js": NOTES,
      "eslint.config.js": "export default [];\n",
      "setup.js": "return 1;\n",
      ".pallium/workflows/kept.js": "return 2;\n",
    });
    const list = await its.json<WorkflowPack[]>("list", "--from", its.repo.path);
    expect(list.map(({ name }) => name)).toEqual(["notes", "kept"]);
    expect(await its.json<WorkflowPack[]>("list", "--from", its.url)).toEqual(list);
  });

  test("that are wrong are refused, and nothing is written", async () => {
    await using its = await packs({ ...FILES, "plain.js": 'phase("x";\n' });
    const from = its.repo.path;
    expect(await its.refused("install", `${from}#plain`)).toMatchObject({
      code: "pack_invalid",
      message: expect.stringContaining("plain.js:1:10"),
      exitCode: 1,
    });
    expect(await its.refused("install", from)).toMatchObject({
      code: "usage",
      message: `there are several packs in ${from}: release-notes, plain`,
    });
    expect(await its.refused("install", `${from}#plan`)).toMatchObject({
      code: "pack_not_found",
      exitCode: 2,
    });
    expect(await its.refused("install", "./nowhere")).toMatchObject({
      code: "pack_source_not_found",
    });
    expect(await its.refused("list", "--from", its.home.directory)).toMatchObject({
      code: "pack_source_invalid",
    });
    await its.repo.write({ "notes/release.js": null });
    expect(await its.refused("list", "--from", from)).toMatchObject({
      code: "pack_source_invalid",
      message: expect.stringContaining("names notes/release.js as the script of release-notes"),
    });
  });

  test.each(["../x", "a/b", ""])(
    "do not choose the name %p of a file (X3)",
    async (installs_as) => {
      const manifest = JSON.stringify({ name: "a", script: "plain.js", installs_as });
      await using its = await packs({ ...FILES, "pallium-pack.json": manifest });
      expect(await its.refused("install", its.repo.path)).toMatchObject({
        code: "invalid_id",
        exitCode: 2,
      });
    },
  );

  test("hand out no file that lies elsewhere (X3)", async () => {
    await using its = await packs();
    await Bun.write(join(its.home.directory, "private.js"), "return 1;\n");
    await its.repo.write({ "plain.js": null });
    await symlink(join(its.home.directory, "private.js"), its.repo.join("plain.js"));
    expect(await its.refused("install", `${its.repo.path}#plain`)).toMatchObject({
      code: "pack_source_invalid",
    });
    await its.repo.git("add", "-A");
    await its.repo.commit("link");
    expect(await its.refused("install", `${its.url}#plain`)).toMatchObject({
      code: "pack_source_invalid",
    });
  });
});

describe("packs of a git repository", () => {
  test("are those of one commit, which is said; files that are not committed do not count", async () => {
    await using its = await packs();
    const first = (await its.repo.git("rev-parse", "HEAD")).trim();
    await its.repo.git("tag", "v1");
    await its.repo.commit("second", { "plain.js": 'return "newer";\n' });
    await its.repo.write({ "plain.js": 'return "not committed";\n' });
    const old = await its.json<InstalledPack>(
      "install",
      `${its.url}#plain`,
      "--ref",
      "v1",
      "--name",
      "old",
    );
    expect(old).toMatchObject({ source: its.url, commit: first });
    expect(await readFile(its.saved("old"), "utf8")).toBe('return "plain";\n');
    await its.json("install", "plain", "--from", its.url);
    expect(await readFile(its.saved("plain"), "utf8")).toBe('return "newer";\n');
  });

  test("run nothing and leave nothing when they are fetched", async () => {
    await using its = await packs({ ...FILES, ".gitattributes": "*.js filter=mark\n" });
    const mark = join(its.home.directory, "ran");
    const hooks = join(its.home.directory, "hooks");
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
      await Bun.write(join(hooks, hook), `#!/bin/sh\ntouch '${mark}'\n`);
      await chmod(join(hooks, hook), 0o755);
    }
    await Bun.write(
      join(its.home.directory, ".gitconfig"),
      `[core]\n\thooksPath = ${hooks}\n[filter "mark"]\n\tsmudge = touch '${mark}'\n[protocol "ext"]\n\tallow = always\n`,
    );
    const temporary = join(its.home.directory, "temporary");
    await mkdir(temporary);
    const env = { TMPDIR: temporary };
    const done = await its.home.json<InstalledPack>(
      [...LIBRARY, "install", `${its.url}#plain`],
      env,
    );
    expect(done.installed).toBe(true);
    const ext = [...LIBRARY, "list", "--json", "--from", `ext::sh -c touch% ${mark}`];
    expect(errorOf((await its.home.pallium(ext)).stderr).code).toBe("pack_source_refused");
    expect(await exists(mark)).toBe(false);
    expect(await readdir(temporary)).toEqual([]);
  });

  test("that cannot be fetched are named, without who asked", async () => {
    await using its = await packs();
    const gone = `file://${its.repo.join("gone")}`;
    expect(await its.refused("install", gone)).toMatchObject({
      code: "pack_fetch_failed",
      message: expect.stringContaining(`cannot fetch ${gone}: `),
      exitCode: 1,
    });
    expect(await its.refused("install", `${its.url}#plain`, "--ref", "nope")).toMatchObject({
      code: "pack_fetch_failed",
      message: expect.stringContaining("Remote branch nope not found"),
    });
    const { message } = await its.refused("install", "https://me:hunter2@127.0.0.1:1/x.git");
    expect(message).toContain("https://127.0.0.1:1/x.git");
    expect(message).not.toContain("hunter2");
    expect(await its.refused("list", "--ref", "v1")).toMatchObject({ code: "usage" });
  });
});
