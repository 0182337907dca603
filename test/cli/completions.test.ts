import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CliHome, cliHome, PALLIUM } from "../support/cli.ts";
import { FILES, TRANSCRIPTS } from "../support/transcripts/fixtures.ts";

const SESSION = "01a23a7d-9257-7e80-a92d-8bf46c16c593";
let home: CliHome;
let path: string;

beforeAll(async () => {
  home = await cliHome();
  const bin = join(home.directory, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "pallium"), `#!/bin/sh\nexec ${PALLIUM.join(" ")} "$@"\n`);
  await chmod(join(bin, "pallium"), 0o755);
  path = `${bin}:${process.env.PATH}`;
  const saved = join(home.directory, ".pallium", "workflows");
  await mkdir(saved, { recursive: true });
  for (const name of ["nightly", "$(touch pwned)", "*"]) {
    await writeFile(join(saved, `${name}.js`), "return 1;\n");
  }
  await writeFile(join(home.directory, "a file.js"), "return 1;\n");
  await home.pallium(["workflow", "run", "--id", "wf-one", "--script", "a file.js"]);
  const rollout = FILES.codex.session;
  await mkdir(dirname(join(home.directory, `.${rollout}`)), { recursive: true });
  await copyFile(join(TRANSCRIPTS, rollout), join(home.directory, `.${rollout}`));
  await home.pallium(["sessions", "index", "--safety-buffer", "0s"]);
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout } = await home.pallium(["completions", shell]);
    await writeFile(join(home.directory, `script.${shell}`), stdout);
  }
});

afterAll(() => home[Symbol.asyncDispose]());

/** What a shell offers behind the words; the last is the one under the cursor. */
type Complete = (...words: string[]) => Promise<readonly string[]>;

async function linesOf(argv: readonly string[]): Promise<readonly string[]> {
  const child = Bun.spawn([...argv], {
    cwd: home.directory,
    env: { PATH: path, HOME: home.directory },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

const bash: Complete = (...words) =>
  linesOf([
    "bash",
    "-c",
    `source ./script.bash; COMP_WORDS=(pallium "$@"); COMP_CWORD=$#; _pallium; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    ...words,
  ]);

/** Its own functions that offer words are stood in for by one that prints those which fit. */
const zsh: Complete = (...words) =>
  linesOf([
    "zsh",
    "-f",
    "-c",
    `compdef() { :; }
compset() { : }
_files() { print -l -- *; }
compadd() { shift; local last="\${words[CURRENT]#--*=}"; print -l -- "\${(M)@:#\${last}*}"; }
source ./script.zsh; words=(pallium "$@"); CURRENT=$#words; _pallium`,
    "zsh",
    ...words,
  ]);

const fish: Complete = async (...words) => {
  const line = `pallium ${words.join(" ")}`;
  const offered = await linesOf([
    "fish",
    "--no-config",
    "-c",
    `source ./script.fish; complete -C ${JSON.stringify(line)}`,
  ]);
  return offered.map((offer) => offer.replace(/\t.*/, ""));
};

const SHELLS = { bash, zsh, fish };

for (const [shell, complete] of Object.entries(SHELLS)) {
  describe.skipIf(Bun.which(shell) === null)(`completion in ${shell}`, () => {
    test("offers commands, sub-commands and those behind an alias", async () => {
      expect(await complete("work")).toEqual(["workflow"]);
      expect(await complete("workflow", "res")).toEqual(["resume"]);
      expect(await complete("--json", "workflow", "gates", "app")).toEqual(["approve"]);
    });

    test("offers flags of the command, and the values that a flag has", async () => {
      expect(await complete("workflow", "gc", "--dry")).toEqual(["--dry-run"]);
      expect(await complete("workflow", "gc", "--older-than", "")).toEqual([]);
      expect(await complete("completions", "z")).toEqual(["zsh"]);
      expect(await complete("verify", "saf")).toEqual(["safe"]);
    });

    test("offers run ids and saved workflows, and expands nothing that a name holds", async () => {
      expect(await complete("workflow", "show", "--db", "x", "wf")).toEqual(["wf-one"]);
      expect(await complete("workflow", "resume", "")).toEqual(["wf-one"]);
      expect(await complete("workflow", "run", "--workflow", "")).toEqual(["nightly"]);
      expect(await complete("workflow", "run", "/")).toEqual(["/nightly"]);
      for (const verb of ["show", "export", "forget"]) {
        expect(await complete("sessions", verb, "01a23a7d-92")).toEqual([SESSION]);
      }
      expect(await Bun.file(join(home.directory, "pwned")).exists()).toBe(false);
    });
  });
}

test("bash offers files with spaces in their names, and values behind =", async () => {
  expect(await bash("workflow", "run", "--script", "a")).toEqual(["a file.js"]);
  expect(await bash("workflow", "run", "--workflow", "=", "nigh")).toEqual(["nightly"]);
  expect(await bash("workflow", "run", "--workflow", "=")).toEqual(["nightly"]);
});

test("names are asked for without making a store, and a broken one says nothing", async () => {
  await using empty = await cliHome();
  expect(await empty.pallium(["__names", "runs"])).toEqual({
    stdout: "",
    stderr: "",
    exitCode: 0,
  });
  const store = join(empty.directory, ".pallium", "pallium.sqlite");
  expect(await Bun.file(store).exists()).toBe(false);
  await mkdir(join(empty.directory, ".pallium"), { recursive: true });
  await writeFile(store, "not a database at all, but long enough to be looked at ".repeat(30));
  const { stdout, stderr, exitCode } = await empty.pallium(["__names", "triggers"]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: "", stderr: "", exitCode: 0 });
});

test("names of triggers are asked for, the latest first", async () => {
  {
    using store = new Database(join(home.directory, ".pallium", "pallium.sqlite"));
    const insert = store.query(
      "INSERT INTO workflow_triggers (name, kind, task, cwd, created_at, updated_at) VALUES (?, 'manual', 't', '/', ?, ?)",
    );
    insert.run("older", "2026-01-01", "2026-01-01");
    insert.run("newer", "2026-01-02", "2026-01-02");
  }
  const { stdout } = await home.pallium(["__names", "triggers"]);
  expect(stdout).toBe("newer\nolder\n");
});

test("an unknown shell is a usage error with the nearest one", async () => {
  const { stderr, exitCode } = await home.pallium(["completions", "fisch"]);
  expect(stderr).toContain("did you mean fish?");
  expect(exitCode).toBe(2);
});
