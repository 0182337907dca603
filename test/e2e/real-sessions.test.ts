/** The real command lines go on with a conversation, and think as hard as they are told to. */
import { describe, expect, test } from "bun:test";
import { isRecord } from "../../src/lib/json.ts";
import { type ModelRequest, type ModelTurn, TURN_USAGE } from "../support/model-server.ts";
import { PROVIDER_CLIS_HINT, providerClis } from "../support/provider-fixtures.ts";
import { CODEX_MODEL, type RealName, realRuns } from "../support/real-runs.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`real session tests are skipped: ${PROVIDER_CLIS_HINT}`);

const NAMES: readonly RealName[] = ["codex", "claude"];
const LIMIT = 180_000;
const PROMPT = "A verification command fails.";
const CHECK = "make -s check";

/** It takes two fixes until `note.txt` says that it is done. */
const FILES = {
  "note.txt": "hello\n",
  Makefile: [
    "next:",
    "\tif grep -q hello note.txt; then echo half > note.txt; else echo done > note.txt; fi",
    "check:",
    "\tcat note.txt; grep -q done note.txt",
    "",
  ].join("\n"),
};

/** Has a command run once per prompt. */
function model(request: ModelRequest): ModelTurn {
  if (request.toolResults.length >= promptsIn(request)) return { say: '{"summary":"mended"}' };
  return request.api === "messages"
    ? { tool: "Bash", input: { command: "make next", description: "Mend it" } }
    : { tool: "exec_command", input: { cmd: "make next" } };
}

function promptsIn({ text }: ModelRequest): number {
  return text.split(PROMPT).length - 1;
}

async function fix(name: RealName, command: string) {
  await using runs = await realRuns(model, FILES);
  const options = { effort: "low", ...(name === "codex" ? { model: CODEX_MODEL } : {}) };
  const run = await runs.script(
    `return await verify.untilGreen(${JSON.stringify(command)}, ${JSON.stringify(options)});`,
    { env: { PALLIUM_WORKFLOW_PROVIDER: name, CLAUDE_CODE_EFFORT_LEVEL: "max" } },
  );
  const fixes = run.snapshot.agents.filter(({ label }) => label?.includes("-fix-"));
  return { run, fixes, requests: runs.requests, note: await runs.read("note.txt") };
}

function effortOf({ api, body }: ModelRequest): unknown {
  const part = api === "responses" ? body.reasoning : body.output_config;
  return isRecord(part) ? part.effort : undefined;
}

describe.skipIf(clis === undefined).each(NAMES)("real %s that fixes until green", (name) => {
  test(
    "goes on with its conversation, is charged once, and is told how hard to think",
    async () => {
      const { run, fixes, requests, note } = await fix(name, CHECK);
      expect(run.stderr).not.toContain("conversation");
      expect({ result: run.result, note }).toMatchObject({ result: { ok: true }, note: "done\n" });
      expect(requests.map(promptsIn)).toEqual([1, 1, 2, 2]);
      expect(new Set(requests.map(effortOf))).toEqual(new Set(["low"]));
      expect(fixes.map(({ output_tokens: tokens }) => tokens)).toEqual([
        2 * TURN_USAGE.output,
        2 * TURN_USAGE.output,
      ]);
      const [first, second] = fixes.map(({ estimated_cost_usd: cost }) => cost);
      expect(second).toBeCloseTo(first ?? 0, 6);
    },
    LIMIT,
  );

  test(
    "begins a new conversation where the earlier one is gone, and says so",
    async () => {
      const forget = 'rm -rf "$CODEX_HOME/sessions" "$CLAUDE_CONFIG_DIR/projects"';
      const { run, requests, note } = await fix(name, `${forget}; ${CHECK}`);
      expect(run.stderr).toContain(
        "until-green-fix-2: its earlier conversation could not be taken up again; a new one was begun",
      );
      expect({ result: run.result, note }).toMatchObject({ result: { ok: true }, note: "done\n" });
      expect(requests.map(promptsIn)).toEqual([1, 1, 1, 1]);
    },
    LIMIT,
  );
});

test.skipIf(clis === undefined)(
  "real claude says of an effort that it does not know, and works all the same",
  async () => {
    await using runs = await realRuns(() => ({ say: "done" }), FILES);
    const { result, stderr } = await runs.script(
      'return await agent("Do it.", { provider: "claude", effort: "heroic" });',
    );
    expect(result).toBe("done");
    expect(stderr).toContain("Unknown --effort value 'heroic'");
  },
  LIMIT,
);
