/** Runs that are recorded, and answered from the recordings. */
import { expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { editHome } from "../support/edit-runs.ts";
import { workflowHome } from "../support/workflow.ts";

const TWICE = `
const answers = await parallel([
  () => agent("say one of " + args.topic, { label: "first" }),
  () => agent("say one of " + args.topic, { label: "first" }),
]);
return answers.join(" ");`;
const ARGS = ["--args", '{"topic":"trees"}'];
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

test("a replay answers as the agents did, in their order, and charges nothing", async () => {
  await using home = await workflowHome();
  const recorded = await home.script(TWICE, {
    id: "wf-a",
    flags: ["--record", "rec", ...ARGS],
    stub: "x",
    env: { PALLIUM_WORKFLOW_AGENT_STUB_SEQUENCE: '["oak","elm"]' },
  });
  expect(recorded.exitCode).toBe(0);
  const files = await readdir(join(home.directory, "rec"));
  expect(files).toHaveLength(2);
  const replayed = await home.script(TWICE, {
    id: "wf-b",
    flags: ["--replay", "rec", ...ARGS],
  });
  expect(replayed.stderr).not.toContain("error");
  expect(replayed.result).toBe(recorded.result);
  expect(replayed.result).toMatch(/^(oak elm|elm oak)$/);
  const free = await home.script(TWICE, {
    id: "wf-c",
    flags: ["--replay", "rec", "--max-budget-usd", "0", ...ARGS],
  });
  expect(free.result).toBe(recorded.result);
  const costs = replayed.snapshot.agents.map((agent) => [
    agent.estimated_cost_usd ?? 0,
    agent.cost_source,
  ]);
  expect(costs).toEqual([
    [0, undefined],
    [0, undefined],
  ]);
  const again = `${TWICE.replace("return", "await agent('say one of ' + args.topic); return")}`;
  const thrice = await home.script(again, { id: "wf-d", flags: ["--replay", "rec", ...ARGS] });
  expect(thrice.stderr).toContain("has answered an equal call already");
  await home.script(TWICE, { id: "wf-c", flags: ["--record", "rec", ...ARGS], stub: "ash" });
  expect(await readdir(join(home.directory, "rec"))).toEqual(files);
});

test("a call without a recording ends the run, and names what comes nearest", async () => {
  await using home = await workflowHome();
  await home.script(TWICE, { id: "wf-a", flags: ["--record", "rec", ...ARGS], stub: "x" });
  const { stderr, exitCode } = await home.script(TWICE, {
    id: "wf-b",
    flags: ["--replay", "rec", "--args", '{"topic":"birds"}'],
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("answers the call first");
  expect(stderr).toMatch(
    /the nearest is first-[0-9a-f-]+\.json, which differs in prompt from line 1/,
  );
  const [file = ""] = await readdir(join(home.directory, "rec"));
  await writeFile(join(home.directory, "rec", file), "{");
  const torn = await home.script(TWICE, { id: "wf-c", flags: ["--replay", "rec", ...ARGS] });
  expect(torn.stderr).toContain(`${file} is no recording of a call`);
});

test("a resume goes on with the recordings, and records on", async () => {
  await using home = await workflowHome();
  const script = `const one = await agent("one"); return one + (await agent("two"));`;
  const folder = join(home.directory, "rec");
  const seen = async () => (await readdir(folder)).length;
  const recorded = await home.script(script, {
    id: "wf-a",
    flags: ["--record", "rec", "--max-agents", "1"],
    stub: "x",
  });
  expect(recorded.exitCode).toBe(1);
  expect(await seen()).toBe(1);
  const resume = (id: string, env: Record<string, string> = {}) =>
    home.pallium(["workflow", "resume", id, "--max-agents", "9"], { env });
  await resume("wf-a", { PALLIUM_WORKFLOW_AGENT_STUB: "y" });
  expect(await seen()).toBe(2);
  const flags = ["--replay", "rec", "--max-agents", "1"];
  await home.script(script, { id: "wf-b", flags });
  const { exitCode } = await resume("wf-b");
  expect(exitCode).toBe(0);
  const { result } = await home.json<{ result: string }>(["workflow", "read", "wf-b"]);
  expect(result).toBe("xy");
});

test("secrets of labels, prompts and answers are not in what is recorded", async () => {
  await using home = await workflowHome();
  const script = `return await agent("use ${TOKEN}\\nin " + args.topic, { label: "${TOKEN}" });`;
  const flags = ["--record", "rec", "--args", JSON.stringify({ topic: home.directory })];
  await home.script(script, { id: "wf-a", flags, stub: `it is ${TOKEN}` });
  const [file = ""] = await readdir(join(home.directory, "rec"));
  expect(file).toMatch(/^-redacted/);
  const text = await readFile(join(home.directory, "rec", file), "utf8");
  expect(text).not.toContain(TOKEN);
  expect(text).toMatch(/"it is \[redacted: [a-z-]+\]"/);
  expect(text).not.toContain(home.directory);
  const { result } = await home.script(script, {
    id: "wf-b",
    flags: ["--replay", ...flags.slice(1)],
  });
  expect(result).toMatch(/^it is \[redacted/);
});

test("a call with a secret in its schema is not recorded, which is said", async () => {
  await using home = await workflowHome();
  const schema = `{ type: "object", properties: { key: { const: "${TOKEN}" } } }`;
  const { stderr } = await home.script(`return await agent("x", { schema: ${schema} });`, {
    flags: ["--record", "rec"],
    stub: JSON.stringify({ key: TOKEN }),
  });
  expect(stderr).toContain("was not recorded: its schema looks like it holds a secret");
  expect(await readdir(join(home.directory, "rec")).catch(() => [])).toEqual([]);
});

test("an edit is recorded as a patch, and made again", async () => {
  await using edits = await editHome({ "a.txt": "one\ntwo\n" });
  const script = `return await agent("edit", { label: "editor", mode: "edit", provider: "editor" });`;
  const folder = join(edits.home.directory, "rec");
  const editor = "printf 'one\\nTWO\\n' > a.txt; echo hi > new.txt; echo done";
  await edits.script(script, { editor }, { id: "wf-a", flags: ["--record", folder] });
  expect((await readdir(folder)).map((name) => name.replace(/.*\./, "")).sort()).toEqual([
    "json",
    "patch",
  ]);
  await edits.json("workflow", "revert", "wf-a");
  expect(await edits.read("a.txt")).toBe("one\ntwo\n");
  const { result } = await edits.script(script, {}, { id: "wf-b", flags: ["--replay", folder] });
  expect(result).toBe("done");
  expect(await edits.read("a.txt")).toBe("one\nTWO\n");
  expect(await edits.read("new.txt")).toBe("hi\n");
  const stale = await edits.script(
    script,
    {},
    {
      id: "wf-c",
      flags: ["--replay", folder, "--include-dirty"],
    },
  );
  expect(stale.stderr).toContain("does not fit these files");
});

test("an edit that holds a secret is not recorded, which is said", async () => {
  await using edits = await editHome();
  const script = `return await agent("edit", { label: "editor", mode: "edit", provider: "editor" });`;
  const folder = join(edits.home.directory, "rec");
  const editor = `echo "${TOKEN}" > key.txt; echo done`;
  const { stderr } = await edits.script(script, { editor }, { flags: ["--record", folder] });
  expect(stderr).toContain("editor was not recorded: what it did to files looks like it holds");
  expect(await readdir(folder).catch(() => [])).toEqual([]);
});

test("recordings are refused where they cannot be meant", async () => {
  await using home = await workflowHome();
  const run = (...flags: string[]) => home.pallium(["workflow", "run", "x", ...flags]);
  const both = await run("--record", "a", "--replay", "b");
  expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not both") });
  const none = await run("--replay", "b");
  expect(none).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("no recordings are at b"),
  });
});
