import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createStub } from "../../../src/providers/stub.ts";
import { agentTask, testFolder } from "../../support/provider-fixtures.ts";

const NEVER = new AbortController().signal;

function stub(variables: Record<string, string>) {
  const named = Object.entries({ "": "answer", ...variables }).map(([name, value]) => [
    `PALLIUM_WORKFLOW_AGENT_STUB${name}`,
    value,
  ]);
  const made = createStub(Object.fromEntries(named));
  if (made === undefined) throw new Error("no stub");
  return made;
}

describe("stub", () => {
  test("answers without trimming, the prompt put in literally", async () => {
    const provider = stub({ "": " saw {{PROMPT}} and {{PROMPT}} \n" }).as("codex");
    const answer = await provider.answer(agentTask("/", { prompt: "a $& b" }), NEVER);
    expect(answer).toEqual({ ok: true, text: " saw a $& b and a $& b \n" });
  });

  test("a sequence is counted over all providers and its last entry repeats", async () => {
    const made = stub({ _SEQUENCE: '["one","two {{PROMPT}}"]' });
    const texts: unknown[] = [];
    for (const name of ["codex", "claude", "ghost"]) {
      texts.push(await made.as(name).answer(agentTask("/", { prompt: "p" }), NEVER));
    }
    expect(texts).toEqual([
      { ok: true, text: "one" },
      { ok: true, text: "two p" },
      { ok: true, text: "two p" },
    ]);
  });

  test("two stubs count apart", async () => {
    const variables = { _SEQUENCE: '["one","two"]' };
    await stub(variables).as("codex").answer(agentTask("/"), NEVER);
    const again = await stub(variables).as("codex").answer(agentTask("/"), NEVER);
    expect(again).toMatchObject({ text: "one" });
  });

  test.each([
    ["_SEQUENCE", '["one", 2]'],
    ["_SEQUENCE", "one"],
    ["_DELAY_MS", "soon"],
    ["_DELAY_MS", "-1"],
  ])("%s=%s is refused by name", (name, value) => {
    expect(() => stub({ [name]: value })).toThrow(`PALLIUM_WORKFLOW_AGENT_STUB${name}`);
  });

  test("a delay ends when the call is aborted, and nothing is written then", async () => {
    using folder = testFolder();
    const controller = new AbortController();
    const answer = stub({ _DELAY_MS: "600000", _WRITE_FILE: "x" })
      .as("codex")
      .answer(agentTask(folder.path), controller.signal);
    controller.abort(new Error("stopped"));
    await expect(answer).rejects.toThrow("stopped");
    expect(existsSync(folder.join("x"))).toBe(false);
  });

  test("writes a file in the agent's directory", async () => {
    using folder = testFolder();
    const provider = stub({ _WRITE_FILE: "deep/note.txt", _WRITE_CONTENT: "for {{PROMPT}}" });
    await provider.as("codex").answer(agentTask(folder.path, { prompt: "you" }), NEVER);
    expect(readFileSync(folder.join("deep/note.txt"), "utf8")).toBe("for you");
  });

  test("refuses to write outside of it, through links too", async () => {
    using folder = testFolder();
    mkdirSync(folder.join("repo"));
    mkdirSync(folder.join("outside"));
    symlinkSync(folder.join("outside"), folder.join("repo/folder-link"));
    symlinkSync(folder.join("outside/new.txt"), folder.join("repo/dangling-link"));
    const paths = ["../escaped.txt", folder.join("abs.txt"), "folder-link/x", "dangling-link", "."];
    for (const path of paths) {
      const answer = stub({ _WRITE_FILE: path, _WRITE_CONTENT: "x" })
        .as("codex")
        .answer(agentTask(folder.join("repo")), NEVER);
      await expect(answer).rejects.toMatchObject({ code: "path_outside" });
    }
    expect([...new Bun.Glob("**/*.txt").scanSync(folder.path)]).toEqual([]);
  });
});
