/** `pallium.decisions` in scripts, through the real program. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { outputs } from "../../src/operations/schemas.ts";
import type { Decision } from "../../src/repo/decisions/search.ts";
import { NEUTRAL_GIT, repoRuns } from "../support/repo-runs.ts";
import { workflowHome } from "../support/workflow.ts";

const titles = (found: unknown) => (found as { title: string }[]).map(({ title }) => title);

describe("pallium.decisions", () => {
  test("are recorded once through resume, and found from other runs (oracle 43)", async () => {
    await using home = await workflowHome();
    const record = `await agent("x");
      return await pallium.decisions.record(" Use SQLite ", "durable queue", "storage", "storage", " ");`;
    const first = await home.script(record, { stub: "x" });
    expect(first.result).toEqual({
      id: expect.stringMatching(/^decision-/),
      run_id: "wf-test",
      title: "Use SQLite",
      body: "durable queue",
      tags: ["storage"],
      created_at: expect.any(String),
    });
    const again = await home.script(record, { stub: "x" });
    expect(again.result).toEqual(first.result);
    const other = await home.script('return await pallium.decisions.search("durable");', {
      id: "wf-other",
    });
    expect(other.result).toEqual([first.result]);
    const twice = await home.script(
      `const record = () => pallium.decisions.record("Use SQLite", "durable queue", "storage");
       const ids = [(await record()).id, (await record()).id];
       return [...ids, (await pallium.decisions.search("")).length];`,
    );
    const { id } = first.result as { id: string };
    expect(twice.result).toEqual([id, id, 1]);
    expect(again.snapshot.agents.map(({ prompt }) => prompt)).toEqual(["x"]);
  });

  test("are found by every word, case aside, the newest first; nothing is an empty list", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(`
      const { record, search } = pallium.decisions;
      await record("Größe one", "Body of ONE", "tag-a");
      await record("two", undefined, "tag-b");
      await record("three", "has 100% and a_b");
      const of = async (query, limit) => (await search(query, limit)).map(({ title }) => title);
      return {
        word: await of("GRÖSSE"), folded: await of("größe"), body: await of("body one"),
        both: await of("one tag-b"), tag: await of("tag-"), all: await of(""), last: await of("", 1),
        percent: await of("100%"), any: await of("%"), underscore: await of("a_b"), wild: await of("t_o"),
        quote: await of("'\\"* NOT"), none: await search("nowhere"),
      };`);
    expect(result).toEqual({
      word: [],
      folded: ["Größe one"],
      body: ["Größe one"],
      both: [],
      tag: ["two", "Größe one"],
      all: ["three", "two", "Größe one"],
      last: ["three"],
      percent: ["three"],
      any: ["three"],
      underscore: ["three"],
      wild: [],
      quote: [],
      none: [],
    });
  });

  test("a resumed search finds what it found (S8)", async () => {
    await using home = await workflowHome();
    const search = 'return await pallium.decisions.search("queue");';
    await home.script('await pallium.decisions.record("queue one");', { id: "wf-a" });
    const first = await home.script(search);
    await home.script('await pallium.decisions.record("queue two");', { id: "wf-b" });
    expect((await home.script(search)).result).toEqual(first.result);
    expect(titles((await home.script(search, { id: "wf-new" })).result)).toEqual([
      "queue two",
      "queue one",
    ]);
  });

  test.each([
    ["record()", "decision_title_required", "workflow decision requires run id and title"],
    ['record("t", 1)', "bad_option", "body must be text"],
    ['record("t", "b", {})', "bad_option", "tags must be text"],
    ['search("q", 0)', "bad_option", "limit must be a whole number"],
    ['search("q", "10")', "bad_option", "limit must be a whole number"],
  ])("%s is refused", async (call, code, message) => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(`await pallium.decisions.${call}`);
    expect(snapshot.run).toMatchObject({ error_code: code });
    expect(snapshot.run.error).toContain(message);
  });
});

describe("pallium decisions", () => {
  test("finds what runs in the repository recorded, beside the commits", async () => {
    await using at = await repoRuns();
    const source = `await pallium.decisions.record("Keep one database", "because two locks deadlock", "storage");
      await pallium.decisions.record("Other thing");`;
    await at.script(source, { id: "wf-decides" });
    await at.home.script(source, { id: "wf-elsewhere" });
    await at.repo.commit("Use a database for the queue");
    const command = ["decisions", "why the database", at.repo.path];
    const found = await at.home.json<Decision[]>(command, NEUTRAL_GIT);
    expect(found).toMatchObject([
      {
        source_type: "workflow",
        run_id: "wf-decides",
        title: "Keep one database",
        body: "Keep one database\n\nbecause two locks deadlock",
        tags: ["storage"],
      },
      { source_type: "git", title: "Use a database for the queue" },
    ]);
    expect(outputs.decisions.safeParse(found).error?.issues ?? []).toEqual([]);
    const { stdout } = await at.home.pallium(command, { env: NEUTRAL_GIT });
    expect(stdout).toContain("Keep one database (run wf-decides, ");
  });

  test("answers from the commits where the store cannot be read, and says so", async () => {
    await using at = await repoRuns();
    await at.repo.commit("Use a database for the queue");
    await Bun.write(join(at.home.directory, ".pallium/pallium.sqlite"), "no database".repeat(100));
    const command = ["decisions", "the database", at.repo.path];
    const { stdout, stderr, exitCode } = await at.home.pallium(command, { env: NEUTRAL_GIT });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Use a database for the queue");
    expect(stderr).toContain("recorded decisions were not read");
  });
});
