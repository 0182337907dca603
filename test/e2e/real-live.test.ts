/** The real command lines are seen while they wait for their model, and no longer once they have ended. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import type { LiveReport } from "../../src/sessions/live/types.ts";
import { cliHome } from "../support/cli.ts";
import { type ModelRequest, type ModelTurn, startModelServer } from "../support/model-server.ts";
import {
  PROVIDER_CLIS_HINT,
  providerClis,
  providerEnvironment,
  testFolder,
} from "../support/provider-fixtures.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`real live tests are skipped: ${PROVIDER_CLIS_HINT}`);

const LIMIT = 180_000;

function toolOf({ api }: ModelRequest): ModelTurn {
  return api === "messages"
    ? { tool: "Bash", input: { command: "ls web", description: "List the pages" } }
    : { tool: "exec_command", input: { cmd: "cd web && ls" } };
}

test.skipIf(clis === undefined)(
  "sessions of the real codex and claude are live, with what they do, until they end",
  async () => {
    if (clis === undefined) return;
    using folder = testFolder();
    await using home = await cliHome();
    const repo = folder.join("repo");
    mkdirSync(folder.join("repo", "web"), { recursive: true });
    const waiting = {
      responses: Promise.withResolvers<void>(),
      messages: Promise.withResolvers<void>(),
    };
    const answers = Promise.withResolvers<void>();
    await using server = startModelServer(async (request) => {
      if (request.toolResults.length === 0) return toolOf(request);
      waiting[request.api].resolve();
      await answers.promise;
      return { say: "done" };
    });
    const env = providerEnvironment(folder, server.url, clis);
    const start = (argv: readonly string[]) =>
      Bun.spawn([...argv], { cwd: repo, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    const codex = start([clis.codex, "exec", "--skip-git-repo-check", "Mend the ledger"]);
    const claude = start([clis.claude, "-p", "Mend the pages", "--allowedTools", "Bash"]);
    const live = async (...flags: readonly string[]) => {
      const { stdout } = await home.pallium(["sessions", "live", "--json", ...flags], {
        cwd: repo,
        env,
      });
      const { sessions }: LiveReport = JSON.parse(stdout);
      return sessions.filter(({ session_cwd: cwd }) => cwd === repo);
    };
    const files = () => readdirSync(env.CODEX_HOME ?? "").sort();
    await Promise.all([waiting.responses.promise, waiting.messages.promise]);
    const before = files();
    const sessions = await live("--all");
    expect(files()).toEqual(before);
    expect(sessions).toHaveLength(2);
    const byProvider = Object.fromEntries(sessions.map((session) => [session.provider, session]));
    expect(byProvider).toMatchObject({
      codex: {
        pid: codex.pid,
        status: "active",
        title: "Mend the ledger",
        effective_workdir: `${repo}/web`,
        recent_action: "exec_command: cd web && ls",
      },
      claude: {
        pid: claude.pid,
        status: "active",
        title: "Mend the pages",
        recent_action: "Bash: List the pages",
      },
    });
    {
      using state = new Database(`${env.CODEX_HOME}/state_5.sqlite`);
      state.run("UPDATE threads SET title = 'named by Codex'");
    }
    const [renamed] = (await live()).filter(({ provider }) => provider === "codex");
    expect(renamed?.title).toBe("named by Codex");
    answers.resolve();
    await Promise.all([codex.exited, claude.exited]);
    expect(await live()).toEqual([]);
    expect((await live("--all")).map(({ status }) => status)).toEqual(["inactive", "inactive"]);
  },
  LIMIT,
);
