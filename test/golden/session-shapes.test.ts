/** Session memory's documents hold every path of the Go program's, over what both agents wrote. */
import { expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import type { OperationName } from "../../src/operations/table.ts";
import { repoCli } from "../support/repo-cli.ts";
import { claudeTranscript } from "../support/transcripts/claude-session.ts";
import golden from "./go-0.9.17.json";
import { missing, type Step } from "./shapes.ts";

const FILE = "internal/auth/auth.go";
const SESSION = "11111111-1111-4111-8111-111111111111";

const STEPS: readonly (readonly [string, OperationName, readonly string[]])[] = [
  ["index", "sessions.index", ["index", "--safety-buffer", "0s"]],
  ["list", "sessions.list", ["list", "--limit", "5"]],
  ["search", "sessions.search", ["search", "token lock", "--limit", "5"]],
  ["search-hybrid", "sessions.search", ["search", "--hybrid", "token lock", "--limit", "5"]],
  ["related", "sessions.related", ["related", ".", "--file", FILE, "--limit", "5"]],
  ["grep", "sessions.grep", ["grep", "token lock", "--limit", "5"]],
  ["show", "sessions.show", ["show", SESSION]],
  ["show-transcript", "sessions.show", ["show", SESSION, "--transcript"]],
  ["stats", "sessions.stats", ["stats"]],
];

test("session memory's documents hold every path of the Go program's, and fit their schemas", async () => {
  await using cli = await repoCli();
  await cli.repo.commit("base", { [FILE]: "package auth\n" });
  const transcript = claudeTranscript({
    id: SESSION,
    cwd: cli.repo.path,
    steps: [
      { user: `Fix the token check in ${FILE}` },
      { run: "go test ./internal/auth", output: "timed out waiting for token lock", exit: 1 },
      { agent: "Fixed: the token lock is released before the check." },
    ],
  });
  await Bun.write(`${cli.directory}/.claude/projects/p/${SESSION}.jsonl`, transcript);
  for (const [name, operation, args] of STEPS) {
    const step = (golden as Record<string, Step>)[`sessions/${name}`];
    const { stdout, stderr, exitCode } = await cli.pallium(["sessions", ...args, "--json"]);
    const said = name === "search-hybrid" ? "searched by words alone" : /^$/;
    expect({ name, exitCode }).toEqual({ name, exitCode: step?.exit ?? 0 });
    expect(stderr).toMatch(said);
    const document = JSON.parse(stdout);
    expect({ name, missing: missing(step?.shape ?? {}, document) }).toEqual({ name, missing: [] });
    const problems = outputs[operation].safeParse(document).error?.issues ?? [];
    expect({ name, problems }).toEqual({ name, problems: [] });
  }
}, 60_000);
