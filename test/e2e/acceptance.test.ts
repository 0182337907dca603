/** The acceptance script on the executable as users get it, and on ones that are broken. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { type CompiledPallium, compiledPallium } from "../support/build.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const SCRIPT = resolve(import.meta.dir, "../../scripts/workflow-acceptance.sh");
const PATIENCE_MS = 300_000;

/** What the product promises to prove on an installed executable, in this order. */
const ITEMS = [
  "parallel worker timing",
  "resume cache reuse",
  "workflow generation and validation",
  "composition with saved workflows",
  "budget failure behavior",
  "structured reports",
  "repo preflight",
  "verify.untilGreen",
  "durable decisions",
  "multi-repo agents",
  "library install",
  "configured providers",
  "coordinator replanning",
  "edit patch apply and revert",
  "secret patch blocking",
  "on-changed triggers",
  "agent gates",
  "fleet limits",
  "analytics",
  "HTTP API",
  "MCP tool listing",
  "the v1-v7 audit checklist",
];

let pallium: CompiledPallium;
let temporary: TempDir;

beforeAll(async () => {
  [pallium, temporary] = await Promise.all([compiledPallium(), tempDir()]);
}, 120_000);

afterAll(async () => {
  await temporary[Symbol.asyncDispose]();
  await pallium[Symbol.asyncDispose]();
});

interface Outcome {
  readonly exitCode: number;
  /** What the script printed of each item, and in the end. */
  readonly lines: readonly string[];
  readonly stdout: string;
}

async function accept(program: string, ...items: readonly string[]): Promise<Outcome> {
  return ended(["sh", SCRIPT, ...items], { PALLIUM_BIN: program });
}

async function ended(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: "/",
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", TMPDIR: temporary.path, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const said = `${stdout}${stderr}`.split("\n");
  const lines = said.filter((line) => /^(?:ok|FAILED|not in this version): |^\d+ ok, /.test(line));
  return { exitCode: await child.exited, lines, stdout };
}

/** A program that does something else in front of the real one, or in its place. */
async function program(name: string, shell: string): Promise<string> {
  const path = temporary.join(name);
  await Bun.write(path, `#!/bin/sh\n${shell}\n`);
  await chmod(path, 0o755);
  return path;
}

test(
  "the executable passes every item that it has, by the script that is built into it (oracle 94)",
  async () => {
    const { exitCode, lines, stdout } = await ended(
      [pallium.path, "workflow", "audit", "--run-acceptance", "--json"],
      {},
    );
    const items = lines.slice(0, -1).map((line) => /^([^:]+): ([^(]+?)(?: \(.*\))?$/.exec(line));
    expect(items.map((found) => found?.[2])).toEqual(ITEMS);
    expect(lines.filter((line) => line.startsWith("FAILED"))).toEqual([]);
    const absent = lines.filter((line) => line.startsWith("not in this version")).length;
    expect(lines.at(-1)).toBe(
      `${ITEMS.length - absent} ok, 0 failed, ${absent} not in this version`,
    );
    const { acceptance_passed } = JSON.parse(stdout);
    expect({ exitCode, acceptance_passed }).toEqual({
      exitCode: absent === 0 ? 0 : 1,
      acceptance_passed: absent === 0,
    });
    expect(await readdir(temporary.path)).toEqual([]);
  },
  PATIENCE_MS,
);

test.each([
  ["does nothing", ":"],
  ["only fails", "echo 'error: broken' >&2; exit 1"],
  ["is none", ""],
])(
  "an executable that %s passes no item",
  async (name, shell) => {
    const broken = shell === "" ? "/nonexistent/pallium" : await program(name, shell);
    const { exitCode, lines } = await accept(broken);
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe(`0 ok, ${ITEMS.length} failed, 0 not in this version`);
  },
  PATIENCE_MS,
);

/** What goes wrong, said by a shell in front of the real program. */
const BROKEN: readonly (readonly [item: string, sabotage: string])[] = [
  ["resume cache reuse", 'case "$*" in *resume*) echo asked >>ledger ;; esac'],
  ["budget failure behavior", "export PALLIUM_WORKFLOW_AGENT_COST_USD=0"],
  ["secret patch blocking", "export PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH=1"],
  ["edit patch apply and revert", 'case "$*" in *revert*) exit 0 ;; esac'],
  ["fleet limits", 'case "$*" in *--max-active-runs*) exit 0 ;; esac'],
  ["on-changed triggers", 'case "$*" in *"trigger run"*) echo x >>repo/note.txt ;; esac'],
];

test.each(BROKEN)(
  "%s fails where it does not hold",
  async (item, sabotage) => {
    const broken = await program("sabotaged", `${sabotage}\nexec '${pallium.path}' "$@"`);
    const { exitCode, lines } = await accept(broken, item);
    expect({ exitCode, lines }).toEqual({
      exitCode: 1,
      lines: [`FAILED: ${item}`, "0 ok, 1 failed, 0 not in this version"],
    });
  },
  PATIENCE_MS,
);
