/** Somebody starts Codex or Claude Code by hand; minutes later memory knows what came of it. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import type { RelatedSession } from "../../src/sessions/related/related.ts";
import type { ShownSession } from "../../src/sessions/reports/show.ts";
import type { FoundSession } from "../../src/sessions/search/search.ts";
import type { WhyReport } from "../../src/sessions/why/why.ts";
import { type BareAgents, bareAgents } from "../support/bare-agents.ts";
import type { ModelRequest, ModelTurn } from "../support/model-server.ts";
import { PROVIDER_CLIS_HINT, providerClis } from "../support/provider-fixtures.ts";
import type { RealName } from "../support/real-runs.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`tests of bare agents are skipped: ${PROVIDER_CLIS_HINT}`);

const NAMES: readonly RealName[] = ["codex", "claude"];
const LIMIT = 180_000;
const PROMPT = "Round the quarterly ledger half up";
const FILE = "src/ledger.txt";
const LINE = "rounding = half up";
const BEFORE = "currency = eur\nrounding = down\n";
const CHECK = "make -s test";
const SUBJECT = "Round half up in the ledger";
const COMMIT = `git add -A && git commit -q -m "${SUBJECT}"`;
const FILES = {
  [FILE]: BEFORE,
  "docs/readme.txt": "ledger\n",
  Makefile: `test:\n\tgrep -q "half up" ${FILE}\n`,
};

/** Edits the file, runs the test and then the other commands, one per turn. */
function working(repo: () => string, ...commands: readonly string[]) {
  return (request: ModelRequest): ModelTurn => {
    const done = request.toolResults.length;
    const isClaude = request.api === "messages";
    const path = `${repo()}/${FILE}`;
    if (isClaude && done === 0) return { tool: "Read", input: { file_path: path } };
    const at = isClaude ? done - 1 : done;
    if (at === 0) return isClaude ? claudeEdit(path) : codexEdit();
    const command = [CHECK, ...commands][at - 1];
    if (command === undefined) return { say: "It rounds half up now." };
    return isClaude
      ? { tool: "Bash", input: { command, description: "Go on" } }
      : { tool: "exec_command", input: { cmd: command } };
  };
}

function claudeEdit(path: string): ModelTurn {
  const input = { file_path: path, old_string: "rounding = down", new_string: LINE };
  return { tool: "Edit", input };
}

function codexEdit(): ModelTurn {
  const patch = [
    "*** Begin Patch",
    `*** Update File: ${FILE}`,
    "@@",
    "-rounding = down",
    `+${LINE}`,
  ];
  return { tool: "apply_patch", freeform: [...patch, "*** End Patch", ""].join("\n") };
}

async function agents(...commands: readonly string[]): Promise<BareAgents> {
  const own: BareAgents = await bareAgents(
    working(() => own.repo.path, ...commands),
    FILES,
  );
  return own;
}

async function index(own: BareAgents): Promise<void> {
  expect(await own.json(["sessions", "index", "--safety-buffer", "0s"])).toMatchObject({
    indexed: 1,
    malformed: 0,
  });
}

/** The document of an operation, of the shape that is promised. */
async function ask<T>(
  own: BareAgents,
  operation: OperationName,
  args: readonly string[],
  folder?: string,
): Promise<T> {
  const document = await own.json<T>(["sessions", ...args], folder);
  expect(outputs[operation].safeParse(document).error?.issues ?? []).toEqual([]);
  return document;
}

/** Every question, from the top and from a folder below, leads to the one session. */
async function foundEverywhere(own: BareAgents, name: RealName): Promise<WhyReport> {
  const reports: WhyReport[] = [];
  for (const [folder, file] of [
    [".", FILE],
    ["docs", `../${FILE}`],
    ["src", "ledger.txt"],
  ] as const) {
    const where = { name, folder };
    const [found] = await ask<FoundSession[]>(
      own,
      "sessions.search",
      ["search", "round ledger"],
      folder,
    );
    const id = found?.id ?? "";
    expect({ ...where, provider: found?.provider }).toEqual({ ...where, provider: name });
    const related = await ask<RelatedSession[]>(
      own,
      "sessions.related",
      ["related", "--file", file],
      folder,
    );
    expect({ ...where, related: related.map((session) => session.id) }).toEqual({
      ...where,
      related: [id],
    });
    expect(related[0]?.signals).toContain(`file-touch:${FILE}`);
    const why = await ask<WhyReport>(own, "sessions.why", ["why", `${file}:2`], folder);
    expect(why).toMatchObject({ path: FILE, line: 2, hints: [] });
    expect(why.changes).toHaveLength(1);
    expect(why.changes[0]?.sessions[0]).toMatchObject({
      session_id: id,
      provider: name,
      confidence: "high",
    });
    expect(why.changes[0]?.sessions[0]?.prompt?.text).toBe(PROMPT);
    const { stdout } = await own.pallium(["sessions", "why", `${file}:2`], folder);
    expect(stdout).toContain(`${name} ${id}`);
    expect(stdout).toContain(`prompt: ${PROMPT}`);
    expect(stdout).toContain(`[0] ${CHECK}`);
    const text = await own.pallium(["sessions", "related", "--file", file], folder);
    expect(text.stdout).toContain(id);
    reports.push(why);
    const shown = await ask<ShownSession>(own, "sessions.show", ["show", id], folder);
    expect(shown.session).toMatchObject({ title: PROMPT, cwd: own.repo.path });
    expect(shown.session.workflow).toBeUndefined();
  }
  const [first, ...others] = reports;
  if (first === undefined) throw new Error("nothing was asked");
  const facts = ({ path, line, changes }: WhyReport) => ({
    path,
    line,
    changes: changes.map(({ commit, sessions }) => [
      commit,
      sessions.map(({ recalled: _, ...one }) => one),
    ]),
  });
  for (const other of others) expect(facts(other)).toEqual(facts(first));
  return first;
}

function ranIn(report: WhyReport) {
  const [session] = report.changes[0]?.sessions ?? [];
  return {
    commands: session?.commands.map(({ command, exit_code }) => [command, exit_code]),
    verification: session?.verification.map(({ command, exit_code }) => [command, exit_code]),
  };
}

describe.skipIf(clis === undefined).each(NAMES)("a bare session of the real %s", (name) => {
  test(
    "is found before and after somebody committed its work by hand",
    async () => {
      await using own = await agents();
      await own.ask(name, PROMPT);
      expect(await Bun.file(own.repo.join(FILE)).text()).toContain(LINE);
      await index(own);
      const open = await foundEverywhere(own, name);
      expect(open.changes[0]?.commit).toBeNull();
      expect(ranIn(open)).toEqual({ commands: [[CHECK, 0]], verification: [[CHECK, 0]] });
      const sha = await own.repo.commit(SUBJECT, {}, { at: Math.floor(Date.now() / 1000) });
      const why = await foundEverywhere(own, name);
      expect(why.changes[0]?.commit).toMatchObject({ sha, subject: SUBJECT, path: FILE });
      expect(why.changes[0]?.sessions[0]?.signals).toContain("edit-holds-line");
      expect(ranIn(why)).toEqual({ commands: [[CHECK, 0]], verification: [[CHECK, 0]] });
    },
    LIMIT,
  );

  test(
    "is found for the commit that it made itself",
    async () => {
      await using own = await agents(COMMIT, "git log --oneline -1");
      await own.ask(name, PROMPT);
      const sha = (await own.repo.git("rev-parse", "HEAD")).trim();
      expect(await own.repo.git("show", "--no-patch", "--format=%s")).toBe(`${SUBJECT}\n`);
      await index(own);
      const why = await foundEverywhere(own, name);
      expect(why.changes[0]?.commit).toMatchObject({ sha, subject: SUBJECT, path: FILE });
      expect(why.changes[0]?.sessions[0]?.signals).toEqual(
        expect.arrayContaining(["commit-sha", "commit-message", "commit-time", "edited-file"]),
      );
      expect(ranIn(why)).toEqual({
        commands: [
          [CHECK, 0],
          [COMMIT, 0],
        ],
        verification: [[CHECK, 0]],
      });
    },
    LIMIT,
  );
});
