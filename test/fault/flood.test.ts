/** Floods: bounded memory of the runner, and nothing dropped without a word. The long forms are in `scripts/labs/flood.ts`. */
import { describe, expect, test } from "bun:test";
import {
  type FloodReport,
  floodedRun,
  floodOfAgents,
  floodOfItems,
  floodOfLogLines,
  floodOfOutput,
  useProvider,
} from "../support/labs/flood.ts";
import { workflowHome } from "../support/workflow.ts";

const SHORT_FORMS: readonly (readonly [name: string, flood: () => Promise<FloodReport>])[] = [
  ["4,096 items", () => floodOfItems(4096)],
  ["10,000 log lines a second", () => floodOfLogLines(2)],
  ["200 MB of provider output (P4)", () => floodOfOutput(200_000_000)],
  ["100 agents", () => floodOfAgents(100)],
];

describe("a flood of", () => {
  test.each(SHORT_FORMS)(
    "%s takes little memory, and all of it is accounted for",
    async (_, flood) => {
      expect((await flood()).violations).toEqual([]);
    },
  );

  test("items that are holes, or missing, or no list at all ends no process (E7)", async () => {
    await using home = await workflowHome();
    const script = `const refused = async (work) => { try { await work(); return "fine" } catch (e) { return e.name } };
      const same = (x) => x === undefined ? "hole" : x;
      return [
        await parallel([1, , 3], same), await pipeline([1, , 3], same),
        await parallel(new Set([1, 2]), same), await pipeline(new Map([[1, 2]]), same),
        await refused(() => parallel({}, same)), await refused(() => pipeline({}, same)),
        await refused(() => parallel(null, same)), await refused(() => pipeline()),
        await refused(() => parallel(new Array(5000), same)),
        await refused(() => parallel((function* () { for (;;) yield 1 })(), same)),
      ];`;
    const { result } = await floodedRun(home, script, {});
    expect(result).toEqual([
      [1, "hole", 3],
      [1, "hole", 3],
      [1, 2],
      [[1, 2]],
      "TypeError",
      "TypeError",
      "TypeError",
      "TypeError",
      "RangeError",
      "RangeError",
    ]);
  });

  test("1,000 failing items counts and lists each", async () => {
    await using home = await workflowHome();
    const script = `const items = Array.from({ length: 1000 }, (_, i) => i);
      return (await parallel(items, (i) => { throw new Error("no " + i) })).filter((x) => x === null).length;`;
    const { result, snapshot } = await floodedRun(home, script, {});
    expect(result).toBe(1000);
    const failures = new Set(snapshot.run.failures?.map(({ error }) => error));
    expect(failures.size).toBe(1000);
    expect(snapshot.run.status).toBe("completed");
  });

  test("an answer of 15 MB arrives whole", async () => {
    await using home = await workflowHome();
    const { result } = await floodedRun(
      home,
      `return (await agent("x")).length;`,
      useProvider("head -c 15000000 /dev/zero | tr '\\0' y"),
    );
    expect(result).toBe(15_000_000);
  });
});
