/** `pallium.decisions` in scripts, through the real program. */
import { describe, expect, test } from "bun:test";
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
      `const one = await pallium.decisions.record("Use SQLite", "durable queue", "storage");
       return [one.id, (await pallium.decisions.search("")).length];`,
      { id: "wf-test" },
    );
    expect(twice.result).toEqual([(first.result as { id: string }).id, 1]);
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
