/** What the real command lines leave of a session is found again, minutes after it ended. */
import { describe, expect, test } from "bun:test";
import type { RelatedSession } from "../../src/sessions/related/related.ts";
import type { ShownSession } from "../../src/sessions/reports/show.ts";
import type { SessionStats } from "../../src/sessions/reports/stats.ts";
import type { FoundSession } from "../../src/sessions/search/search.ts";
import type { WhyReport } from "../../src/sessions/why/why.ts";
import type { WorkflowReport } from "../../src/workflow/reports/report.ts";
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

const EDIT = "Count in half cents";
const FILE = "rate.txt";
const LINE = "half cents";

/** Writes a file with the tool that each has for it. */
function editing(request: ModelRequest): ModelTurn {
  if (request.toolResults.length > 0) return { say: "written" };
  if (request.api === "messages") {
    return { tool: "Write", input: { file_path: FILE, content: `${LINE}\n` } };
  }
  const patch = ["*** Begin Patch", `*** Add File: ${FILE}`, `+${LINE}`, "*** End Patch", ""];
  return { tool: "apply_patch", freeform: patch.join("\n") };
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

  test(
    "is known for the line that it wrote, though its working tree is gone, and for the call that it was",
    async () => {
      await using runs = await realRuns(editing, { "README.md": "rates\n" });
      const options = {
        mode: "edit",
        label: "rates",
        ...(name === "codex" ? { model: CODEX_MODEL } : {}),
      };
      const { result, stderr } = await runs.script(
        `return await agent(${JSON.stringify(EDIT)}, ${JSON.stringify(options)});`,
        { env: { PALLIUM_WORKFLOW_PROVIDER: name } },
      );
      expect({ result, stderr }).toMatchObject({ result: "written" });
      await runs.repo.commit("Use half cents", {}, { at: Math.floor(Date.now() / 1000) });
      await runs.json("sessions", "index", "--safety-buffer", "0s");
      const [related] = await runs.json<RelatedSession[]>("sessions", "related", "--file", FILE);
      const { id = "" } = related ?? {};
      expect(related?.signals).toContain(`file-touch:${FILE}`);
      const why = await runs.json<WhyReport>("sessions", "why", `${FILE}:1`);
      const [session] = why.changes[0]?.sessions ?? [];
      expect(why.changes[0]?.commit?.subject).toBe("Use half cents");
      expect(session).toMatchObject({ session_id: id, confidence: "high" });
      expect(session?.prompt?.text).toContain(EDIT);
      const shown = await runs.json<ShownSession>("sessions", "show", id);
      expect(shown.session.workflow).toMatchObject({ run_id: "wf-test", label: "rates" });
      const report = await runs.json<WorkflowReport>("workflow", "report", "wf-test", "--related");
      expect(report.agents[0]?.session_id).toBe(id);
      expect(report.related_sessions?.[0]?.id).toBe(id);
      expect(report.related_sessions?.[0]?.signals).toContain("same-run");
    },
    LIMIT,
  );
});
