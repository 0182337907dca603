/** One workflow drives the real Codex and Claude Code command lines, end to end. */
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { cliHome } from "../support/cli.ts";
import { type ModelRequest, type ModelTurn, startModelServer } from "../support/model-server.ts";
import {
  PROVIDER_CLIS_HINT,
  providerClis,
  providerEnvironment,
  testFolder,
} from "../support/provider-fixtures.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`the real workflow test is skipped: ${PROVIDER_CLIS_HINT}`);

const SCRIPT = `
const schema = {
  type: "object",
  properties: { secret: { type: "string" } },
  required: ["secret"],
};

phase("read");
const read = await pipeline(
  ["codex", "claude"],
  (provider) => agent("Read note.txt with a tool, then answer.", { label: "read-" + provider, provider, schema }),
  (answer, provider) => agent("Say again: " + answer.secret, { label: "say-" + provider, provider }),
);

phase("compare");
const compared = await parallel(["codex", "claude"], (provider) =>
  agent("Compare " + JSON.stringify(read), { label: "compare-" + provider, provider, schema }),
);

phase("close");
const closing = await agent("Close with " + compared.length + " answers.", { label: "closing", provider: "claude" });
return { read, compared, closing };
`;

/** Reads the note by a tool when asked to, and answers from what the tool returned. */
function model({ api, text, toolResults }: ModelRequest): ModelTurn {
  if (text.includes("Read note.txt") && toolResults.length === 0) {
    return api === "responses"
      ? { tool: "exec_command", input: { cmd: "cat note.txt" } }
      : { tool: "Read", input: { file_path: "note.txt" } };
  }
  if (toolResults.length > 0) {
    const word = /secret word is (\w+)/.exec(toolResults.join("\n"))?.[1] ?? "not found";
    return { say: JSON.stringify({ secret: word }) };
  }
  return { say: text.includes("Compare") ? '{"secret":"same"}' : "said" };
}

test.skipIf(clis === undefined)(
  "three phases with pipeline, parallel and schema, both providers on record",
  async () => {
    if (clis === undefined) throw new Error(PROVIDER_CLIS_HINT);
    using folder = testFolder();
    await using home = await cliHome();
    await using server = startModelServer(model);
    await writeFile(join(home.directory, "note.txt"), "the secret word is banana");
    await writeFile(join(home.directory, "both.js"), SCRIPT);
    const { stdout, stderr, exitCode } = await home.pallium(
      ["workflow", "run", "--script", "both.js", "--agent-timeout", "120", "--json"],
      { env: providerEnvironment(folder, server.url, clis) },
    );
    const lines = stderr.split("\n").filter((line) => !line.includes("] phase "));
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [""] });
    const { run, phases, agents } = JSON.parse(stdout) as Snapshot;
    expect(JSON.parse(run.result ?? "")).toEqual({
      read: ["said", "said"],
      compared: [{ secret: "same" }, { secret: "same" }],
      closing: "said",
    });
    expect(phases.map(({ name, agent_count }) => [name, agent_count])).toEqual([
      ["read", 4],
      ["compare", 2],
      ["close", 1],
    ]);

    const results = server.requests.flatMap(({ toolResults }) => toolResults);
    expect(results.filter((result) => result.includes("banana"))).toHaveLength(2);
    expect(server.requests.some(({ text }) => text.includes("Say again: banana"))).toBe(true);

    for (const provider of ["codex", "claude"]) {
      const usages = agents.filter((agent) => agent.provider === provider).map(usageOf);
      expect(usages.every(({ output_tokens }) => output_tokens > 0)).toBe(true);
    }
    expect(agents.filter(({ provider }) => provider === "claude").every(hasReportedCost)).toBe(
      true,
    );
  },
  180_000,
);

function usageOf({ usage_json }: Snapshot["agents"][number]): { output_tokens: number } {
  const usage = JSON.parse(usage_json ?? "{}") as Record<string, unknown>;
  const nested = (usage.usage ?? usage) as { output_tokens?: number };
  return { output_tokens: nested.output_tokens ?? 0 };
}

function hasReportedCost({ usage_json }: Snapshot["agents"][number]): boolean {
  return /cost/.test(usage_json ?? "");
}
