/** Each probe finds out a program that lacks what it tries: pallium with one thing broken. */
import { describe, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { createBench } from "../../../../src/workflow/audit/bench.ts";
import { REQUIREMENTS } from "../../../../src/workflow/audit/requirements.ts";
import { PALLIUM } from "../../../support/cli.ts";
import { tempDir } from "../../../support/temp.ts";

const PATIENCE_MS = 60_000;
const NEVER = new AbortController().signal;

/** What a shell does in front of the real program, the arguments being those of the call. */
const BROKEN: readonly (readonly [id: string, what: string, sabotage: string])[] = [
  ["v1-runner", "answers are not kept", 'case "$*" in *" read "*) exit 0 ;; esac'],
  [
    "v1-parallel",
    "one agent works at a time",
    'case "$*" in *"workflow run"*) set -- "$@" --max-concurrent-agents 1 ;; esac',
  ],
  ["v1-edits", "secrets get through", "export PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH=1"],
  ["v1-discovery", "no tools are listed", 'case "$*" in *tools*) echo "[]"; exit 0 ;; esac'],
  [
    "v2-validate",
    "everything is valid",
    `case "$*" in *validate*) echo '{"valid": true}'; exit 0 ;; esac`,
  ],
  [
    "v2-report",
    "reports find nothing",
    `case "$*" in *" report "*) echo '{"status":"completed","findings":[]}'; exit 0 ;; esac`,
  ],
  [
    "v2-generate",
    "no file is written",
    `case "$*" in *generate*) echo '{"script":"verify.untilGreen grep -q one note.txt"}'; exit 0 ;; esac`,
  ],
  ["v2-compose", "nothing is saved", 'case "$*" in *" save "*) echo "{}"; exit 0 ;; esac'],
  ["v2-budget", "agents cost nothing", "export PALLIUM_WORKFLOW_AGENT_COST_USD=0"],
  [
    "v3-preflight",
    "nothing is to be inspected",
    `case "$*" in *preflight*) echo '{"task":"tighten the note","scope_paths":["note.txt"]}'; exit 0 ;; esac`,
  ],
  [
    "v3-until-green",
    "the fix is lost",
    'case "$*" in *"workflow run"*) real "$@"; git checkout -q note.txt; exit 0 ;; esac',
  ],
  [
    "v3-multirepo",
    "the wrong repository is edited too",
    'case "$*" in *"workflow run"*) real "$@"; echo two >>note.txt; exit 0 ;; esac',
  ],
  [
    "v3-revert",
    "nothing is taken back",
    `case "$*" in *revert*) echo '{"id": "wf-audit"}'; exit 0 ;; esac`,
  ],
  [
    "v3-decisions",
    "nothing is on record",
    'case "$*" in *wf-later*) rm -rf "$HOME/.pallium" ;; esac',
  ],
  [
    "v2-sessions",
    "reports name no session",
    `case "$*" in *--related*) echo '{"related_sessions":[]}'; exit 0 ;; esac`,
  ],
  [
    "v4-triggers",
    "a trigger forgets its run",
    `case "$*" in *"trigger show"*) echo '{"enabled":true}'; exit 0 ;; esac`,
  ],
  [
    "v4-watch",
    "every look starts a run",
    `case "$*" in *watch*) echo '{"checked":1,"started":1,"skipped":0,"errors":0}'; exit 0 ;; esac`,
  ],
  [
    "v4-library",
    "nothing is installed",
    `case "$*" in *"library install"*) echo '{"installed":true,"workflow":"security-audit"}'; exit 0 ;; esac`,
  ],
  [
    "v4-on-changed",
    "all counts as a change",
    'case "$*" in *"trigger run"*) echo x >>note.txt ;; esac',
  ],
  [
    "v4-gates",
    "every gate opens",
    `export PALLIUM_WORKFLOW_AGENT_STUB='{"approved":true,"reason":"r","evidence":["e"]}'`,
  ],
  ["v5-fleet-limit", "the limit is not heeded", 'case "$*" in *--max-active-runs*) exit 0 ;; esac'],
  [
    "v5-providers",
    "a provider that nobody configured is taken for one",
    "export PALLIUM_WORKFLOW_PROVIDER_GHOST_COMMAND=true",
  ],
  [
    "v5-fleet",
    "no run is counted",
    `case "$*" in *fleet*) echo '{"runs_total":0}'; exit 0 ;; esac`,
  ],
  ["v5-coordinator", "the plan is lost", `export PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE='["seen"]'`],
  [
    "v6-analytics",
    "no run is summed up",
    `case "$*" in *analytics*) echo '{"runs_total":0}'; exit 0 ;; esac`,
  ],
];

/** There is nothing to break. */
const NOT_THERE = ["v6-api", "v6-mcp", "v6-sdk"];

async function tried(id: string, program: readonly string[]): Promise<string | Error> {
  const probe = REQUIREMENTS.find((requirement) => requirement.id === id)?.probe;
  if (probe === undefined) throw new Error(`no probe of ${id}`);
  await using bench = await createBench(program, process.env.PATH ?? "", NEVER);
  return await probe(bench).catch((error: Error) => error);
}

describe("a probe", () => {
  test.each(BROKEN)(
    "of %s fails where %s",
    async (id, _what, sabotage) => {
      await using dir = await tempDir();
      const program = dir.join("pallium");
      const real = PALLIUM.map((word) => `'${word}'`).join(" ");
      const shell = ["#!/bin/sh", `real() { ${real} "$@"; }`, sabotage, 'real "$@"', ""];
      await Bun.write(program, shell.join("\n"));
      await chmod(program, 0o755);
      expect(await tried(id, [program])).toMatchObject({ code: "requirement_unmet" });
    },
    PATIENCE_MS,
  );

  test("of everything that this version has is tried so", () => {
    const probes = REQUIREMENTS.filter(({ probe }) => probe !== undefined).map(({ id }) => id);
    const broken = BROKEN.map(([id]) => id);
    expect(probes.filter((id) => !broken.includes(id))).toEqual(NOT_THERE);
  });

  test("tells a command that is missing from one that fails", async () => {
    const lacking = ["sh", "-c", 'echo "error: unknown workflow subcommand: $2" >&2; exit 2', "sh"];
    expect(await tried("v6-mcp", lacking)).toMatchObject({
      code: "not_in_this_version",
      message: "there is no pallium workflow mcp",
    });
    const failing = ["sh", "-c", "echo 'error: no disk' >&2; exit 1"];
    expect(await tried("v6-mcp", failing)).toMatchObject({
      code: "requirement_unmet",
      message: "pallium workflow mcp ended with exit status 1: error: no disk",
    });
  });

  test("of what this version lacks asks for a real one once the command is there", async () => {
    const help = (usage: string) => ["sh", "-c", `printf 'Usage:\\n  pallium ${usage}\\n'`];
    expect(await tried("v6-api", help("workflow <command>"))).toMatchObject({
      code: "not_in_this_version",
    });
    expect(await tried("v6-api", help("workflow serve [flags]"))).toMatchObject({
      code: "requirement_unmet",
      message: "pallium workflow serve is there, and the audit has no probe that tries it",
    });
  });
});
