/** What the real command lines leave of a session is found again, minutes after it ended. */
import { describe, expect, test } from "bun:test";
import type { ShownSession } from "../../src/sessions/reports/show.ts";
import type { SessionStats } from "../../src/sessions/reports/stats.ts";
import type { FoundSession } from "../../src/sessions/search/search.ts";
import { type ModelRequest, type ModelTurn, TURN_USAGE } from "../support/model-server.ts";
import { PROVIDER_CLIS_HINT, providerClis } from "../support/provider-fixtures.ts";
import { CODEX_MODEL, type RealName, realRuns } from "../support/real-runs.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`real transcript tests are skipped: ${PROVIDER_CLIS_HINT}`);

const NAMES: readonly RealName[] = ["codex", "claude"];
const LIMIT = 180_000;
const COMMAND = "make -s reconcile";
const ANSWER = "The ledgerReconciler rounds half up now.";
const TOKENS_OF_ANSWER = TURN_USAGE.input + TURN_USAGE.output;

function model(request: ModelRequest): ModelTurn {
  if (request.toolResults.length > 0) return { say: ANSWER };
  return request.api === "messages"
    ? { tool: "Bash", input: { command: COMMAND, description: "Run it" } }
    : { tool: "exec_command", input: { cmd: COMMAND } };
}

describe.skipIf(clis === undefined).each(NAMES)("a session of the real %s", (name) => {
  test(
    "is found by what was asked, said and run, its tokens counted once",
    async () => {
      await using runs = await realRuns(model, {
        Makefile: "reconcile:\n\t@echo 'off by 0.005 in march'; exit 3\n",
      });
      const options = { mode: "test", ...(name === "codex" ? { model: CODEX_MODEL } : {}) };
      const prompt = "Why is the quarterly ledger off by a cent?";
      const { result, stderr } = await runs.script(
        `return await agent(${JSON.stringify(prompt)}, ${JSON.stringify(options)});`,
        { env: { PALLIUM_WORKFLOW_PROVIDER: name } },
      );
      expect({ result, stderr }).toMatchObject({ result: ANSWER });
      const index = ["sessions", "index", "--safety-buffer", "0s"];
      expect(await runs.json(...index)).toMatchObject({ indexed: 1, malformed: 0 });
      expect(await runs.json(...index)).toMatchObject({ indexed: 0, unchanged: 1 });
      for (const query of [
        "why was the ledger off",
        "ledger reconciler rounding",
        "make reconcile",
      ]) {
        const [found] = await runs.json<FoundSession[]>("sessions", "search", query);
        expect({ query, provider: found?.provider }).toEqual({ query, provider: name });
      }
      expect(await runs.json<unknown[]>("sessions", "grep", "off by 0.005 in march")).toHaveLength(
        1,
      );
      const [{ id } = { id: "" }] = await runs.json<FoundSession[]>("sessions", "list");
      const { session, messages } = await runs.json<ShownSession>(
        "sessions",
        "show",
        id,
        "--transcript",
      );
      expect(session.commands).toEqual([COMMAND]);
      expect(session.errors[0]).toContain("off by 0.005 in march");
      expect(session.last_agent_message).toBe(ANSWER);
      expect(messages.filter(({ text }) => text === ANSWER)).toHaveLength(1);
      const stats = await runs.json<SessionStats>("sessions", "stats");
      expect(stats).toMatchObject({
        sessions: 1,
        tokens: 2 * TOKENS_OF_ANSWER,
        unknown_records: 0,
      });
    },
    LIMIT,
  );
});
