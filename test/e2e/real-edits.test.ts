/** The real Codex and Claude Code command lines edit, test, and are held to what they may do. */
import { describe, expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { exists } from "../../src/platform/files.ts";
import type { ModelRequest, ModelTurn } from "../support/model-server.ts";
import { PROVIDER_CLIS_HINT, providerClis } from "../support/provider-fixtures.ts";
import { CODEX_MODEL, type RealName, realRuns } from "../support/real-runs.ts";
import { errorOf } from "../support/workflow.ts";

const clis = providerClis();
if (clis === undefined) console.warn(`real edit tests are skipped: ${PROVIDER_CLIS_HINT}`);

const NAMES: readonly RealName[] = ["codex", "claude"];
const LIMIT = 180_000;

/** A script with one agent. */
function agent(provider: RealName, options: Readonly<Record<string, unknown>>): string {
  const model = provider === "codex" ? { model: CODEX_MODEL } : {};
  const all = { label: "worker", provider, ...model, ...options };
  return `return await agent("Do it.", ${JSON.stringify(all)});`;
}

/** Asks for a new file, by the tool that each has for it. */
function writing(path: string, line: string, { api }: ModelRequest): ModelTurn {
  if (api === "messages")
    return { tool: "Write", input: { file_path: path, content: `${line}\n` } };
  const patch = ["*** Begin Patch", `*** Add File: ${path}`, `+${line}`, "*** End Patch", ""];
  return { tool: "apply_patch", freeform: patch.join("\n") };
}

/** Asks for another line of `note.txt`, which says hello. */
function editing({ api }: ModelRequest): ModelTurn {
  if (api === "messages") {
    const change = { old_string: "hello", new_string: "hello\nfrom the agent" };
    return { tool: "Edit", input: { file_path: "note.txt", ...change } };
  }
  const change = ["*** Update File: note.txt", "@@", " hello", "+from the agent"];
  const patch = ["*** Begin Patch", ...change, "*** End Patch", ""];
  return { tool: "apply_patch", freeform: patch.join("\n") };
}

function command(text: string, { api }: ModelRequest): ModelTurn {
  return api === "messages"
    ? { tool: "Bash", input: { command: text, description: "Run it" } }
    : { tool: "exec_command", input: { cmd: text } };
}

describe.skipIf(clis === undefined).each(NAMES)("real %s in mode edit", (name) => {
  test(
    "edits with its own tool, away from the checkout, which gets it in the end",
    async () => {
      const before: (string | undefined)[] = [];
      await using runs = await realRuns(
        async (request, { read }) => {
          before.push(await read("note.txt"));
          const turns = [
            ...(request.api === "messages"
              ? [{ tool: "Read", input: { file_path: "note.txt" } }]
              : []),
            editing(request),
            writing("new.txt", "new", request),
          ];
          return turns[request.toolResults.length] ?? { say: "edited" };
        },
        { "note.txt": "hello\n" },
      );
      const { exitCode, snapshot, result } = await runs.script(agent(name, { mode: "edit" }));
      expect(runs.requests.at(-1)?.toolResults.slice(-2)).toEqual([
        expect.stringMatching(/Success. Updated the following files:|updated successfully/),
        expect.stringMatching(/Success. Updated the following files:|created successfully/),
      ]);
      expect({ exitCode, result }).toEqual({ exitCode: 0, result: "edited" });
      expect(new Set(before)).toEqual(new Set(["hello\n"]));
      const [call] = snapshot.agents;
      expect(call).toMatchObject({
        apply_state: "applied",
        receipt: {
          files: [
            { path: "new.txt", change: "added" },
            { path: "note.txt", change: "modified" },
          ],
          secrets: [],
        },
      });
      expect(await Bun.file(call?.patch_path ?? "").text()).toContain("+from the agent\n");
      expect(await runs.read("note.txt")).toBe("hello\nfrom the agent\n");
      expect(await runs.read("new.txt")).toBe("new\n");
      await runs.json("workflow", "revert", "wf-test");
      expect(await runs.repo.git("status", "--short")).toBe("");
    },
    LIMIT,
  );

  test(
    "that writes a secret changes nothing in the checkout",
    async () => {
      const key = `sk-${crypto.randomUUID().replaceAll("-", "")}A1`;
      await using runs = await realRuns(
        (request) =>
          request.toolResults.length > 0
            ? { say: "edited" }
            : writing("settings.env", `OPENAI_API_KEY=${key}`, request),
        { "note.txt": "hello\n" },
      );
      const { exitCode, stderr } = await runs.script(agent(name, { mode: "edit" }));
      expect(exitCode).toBe(1);
      expect(errorOf(stderr).message).toContain("workflow patch policy blocked settings.env: ");
      expect(stderr).not.toContain(key);
      expect(await runs.read("settings.env")).toBeUndefined();
      expect(await runs.repo.git("status", "--short")).toBe("");
    },
    LIMIT,
  );
});

describe.skipIf(clis === undefined).each(NAMES)("real %s in mode edit", (name) => {
  test(
    "cannot write into the checkout",
    async () => {
      await using runs = await realRuns(
        (request, { repo }) => {
          const file = repo.join("evil.txt");
          const turns = [writing(file, "x", request), command(`touch ${file}`, request)];
          return turns[request.toolResults.length] ?? { say: "done" };
        },
        { "note.txt": "hello\n" },
      );
      const { exitCode } = await runs.script(agent(name, { mode: "edit" }));
      expect(exitCode).toBe(0);
      expect(runs.requests.at(-1)?.toolResults).toEqual([
        expect.stringMatching(/haven't granted it|patch rejected/),
        expect.stringMatching(/outside the working directories|Read-only file system/),
      ]);
      expect(await runs.repo.git("status", "--short")).toBe("");
    },
    LIMIT,
  );
});

describe.skipIf(clis === undefined)("real claude", () => {
  test(
    "that reads only reads the whole checkout and nothing else (X4)",
    async () => {
      const inside = ["git log --format=%s", "cat ../note.txt"];
      const outside = [
        ...["cat /etc/passwd", "grep -r root /etc", "wc -l --files0-from=/etc/passwd", "printenv"],
        ...["touch evil.txt", "curl http://127.0.0.1:9/", "git log --output=evil.txt"],
      ];
      await using runs = await realRuns(
        (request, { repo }) => {
          const files = ["../note.txt", "/etc/passwd", "../outside"].map((path) => ({
            tool: "Read",
            input: { file_path: path.replace("..", repo.path) },
          }));
          const commands = [...inside, ...outside].map((text) => command(text, request));
          return [...files, ...commands][request.toolResults.length] ?? { say: "done" };
        },
        { "note.txt": "hello\n", "sub/in.txt": "in\n" },
      );
      await symlink("/etc/passwd", runs.repo.join("outside"));
      await runs.script(agent("claude", { repo: "sub" }));
      const refused = (what: string) =>
        expect.stringMatching(new RegExp(`Permission to use ${what}.* has been denied`));
      expect(runs.requests.at(-1)?.toolResults).toEqual([
        expect.stringContaining("hello"),
        refused("Read"),
        refused("Read"),
        "base",
        "hello",
        ...outside.map(() => refused("Bash")),
      ]);
    },
    LIMIT,
  );
});

describe.skipIf(clis === undefined).each(NAMES)("real %s in a folder below the top", (name) => {
  test(
    "edits above it too",
    async () => {
      await using runs = await realRuns(
        (request) =>
          request.toolResults.length > 0 ? { say: "edited" } : command("touch ../top.txt", request),
        { "note.txt": "hello\n", "sub/in.txt": "in\n" },
      );
      const { exitCode } = await runs.script(agent(name, { mode: "edit", repo: "sub" }));
      expect(exitCode).toBe(0);
      expect(await runs.repo.git("status", "--short")).toBe("?? top.txt\n");
    },
    LIMIT,
  );
});

describe.skipIf(clis === undefined).each(NAMES)("real %s in mode test", (name) => {
  test(
    "that changes the checkout fails, its change kept",
    async () => {
      await using runs = await realRuns(
        (request) =>
          request.toolResults.length > 0 ? { say: "tested" } : command("make", request),
        { "note.txt": "hello\n", Makefile: "all:\n\techo changed >> note.txt\n" },
      );
      const { exitCode, snapshot } = await runs.script(agent(name, { mode: "test" }));
      expect(exitCode).toBe(1);
      expect(snapshot.run.error_code).toBe("checkout_changed");
      expect(snapshot.agents[0]?.error).toContain(
        "worker (mode test) changed files of the checkout: note.txt; what was done to them is in ",
      );
    },
    LIMIT,
  );
});

describe.skipIf(clis === undefined).each(NAMES)("real %s and the network", (name) => {
  const ways = [
    ["denied", [], false],
    ["granted", ["--allow-network"], true],
  ] as const;
  test.each(ways)(
    "%s",
    async (_way, flags, granted) => {
      await using runs = await realRuns(
        (request) => {
          if (request.toolResults.length > 0) return { say: "done" };
          return request.api === "messages"
            ? { tool: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "read" } }
            : command("exec 3<>/dev/tcp/127.0.0.1/9", request);
        },
        { "note.txt": "hello\n" },
      );
      const { snapshot } = await runs.script(agent(name, { network: true }), { flags });
      const seen = runs.requests.at(-1)?.toolResults[0] ?? "";
      if (name === "claude") {
        expect(runs.requests[0]?.tools.includes("WebFetch")).toBe(granted);
        expect(seen.includes("No such tool available")).toBe(!granted);
      } else {
        expect(seen).toContain(granted ? "Connection refused" : "Operation not permitted");
        expect(runs.requests[0]?.tools.includes("web_search")).toBe(granted);
      }
      expect(snapshot.agents[0]?.networked ?? false).toBe(granted);
      expect(await exists(snapshot.agents[0]?.worktree || "/nonexistent")).toBe(false);
    },
    LIMIT,
  );
});
