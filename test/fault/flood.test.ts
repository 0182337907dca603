/** Floods: bounded memory of the runner, and nothing dropped without a word. */
import { describe, expect, test } from "bun:test";
import type { Snapshot } from "../../src/workflow/run/types.ts";
import { startRun } from "../support/runner.ts";
import { provider, type WorkflowHome, workflowHome } from "../support/workflow.ts";

/** Of the runner; at rest it takes about 70 MiB. */
const PEAK_LIMIT = 256 * 1024 * 1024;
const STUB = { PALLIUM_WORKFLOW_AGENT_STUB: "{{PROMPT}}" };

interface Flood {
  readonly snapshot: Snapshot;
  readonly result: unknown;
  readonly stderr: string;
  /** Most the runner's process ever took. */
  readonly peakBytes: number;
}

async function flood(
  home: WorkflowHome,
  script: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Flood> {
  const runner = await startRun(home, script, env, flags);
  const [stdout, stderr] = await Promise.all([runner.stdout.text(), runner.stderr.text()]);
  await runner.exited;
  const snapshot = JSON.parse(stdout) as Snapshot;
  const peakBytes = runner.resourceUsage()?.maxRSS ?? 0;
  return { snapshot, result: JSON.parse(snapshot.run.result ?? "null"), stderr, peakBytes };
}

function useProvider(command: string): Record<string, string> {
  return { PALLIUM_WORKFLOW_PROVIDER: "p", ...provider("p", command) };
}

describe("a flood of", () => {
  test("4,096 items keeps every one in its place", async () => {
    await using home = await workflowHome();
    const script = `const items = await parallel(Array.from({ length: 4096 }, (_, i) => i), (i) => agent("item " + i));
      return [items.length, items.every((item, i) => item === "item " + i)];`;
    const { result, peakBytes } = await flood(home, script, STUB, ["--max-agents", "5000"]);
    expect(result).toEqual([4096, true]);
    expect(peakBytes).toBeLessThan(PEAK_LIMIT);
  });

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
    const { result } = await flood(home, script, {});
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

  test("1,000 stub agents", async () => {
    await using home = await workflowHome();
    const script = `return (await parallel(Array.from({ length: 1000 }, (_, i) => i), (i) => agent("a" + i))).length;`;
    const { result, snapshot, peakBytes } = await flood(home, script, STUB);
    expect(result).toBe(1000);
    expect(snapshot.agents.filter((agent) => agent.status === "completed").length).toBe(1000);
    expect(peakBytes).toBeLessThan(PEAK_LIMIT);
  });

  test("1,000 failing items counts and lists each", async () => {
    await using home = await workflowHome();
    const script = `const items = Array.from({ length: 1000 }, (_, i) => i);
      return (await parallel(items, (i) => { throw new Error("no " + i) })).filter((x) => x === null).length;`;
    const { result, snapshot } = await flood(home, script, {});
    expect(result).toBe(1000);
    const failures = new Set(snapshot.run.failures?.map(({ error }) => error));
    expect(failures.size).toBe(1000);
    expect(snapshot.run.status).toBe("completed");
  });

  test("30,000 log lines in bursts prints each, in order", async () => {
    await using home = await workflowHome();
    const script = `for (let burst = 0; burst < 30; burst++) {
        for (let line = 0; line < 1000; line++) log("line", burst * 1000 + line);
        await agent("pause");
      }`;
    const { stderr, peakBytes } = await flood(home, script, STUB);
    const lines = [...stderr.matchAll(/^\[workflow:wf-test\] line (\d+)$/gm)].map(([, n]) => n);
    expect(lines.length).toBe(30_000);
    expect(lines.every((line, index) => line === String(index))).toBe(true);
    expect(peakBytes).toBeLessThan(PEAK_LIMIT);
  });

  test("200 MB of output is never in memory (P4)", async () => {
    await using home = await workflowHome();
    const script = `return [await agent("x").catch((error) => error.code)];`;
    const { result, snapshot, peakBytes } = await flood(
      home,
      script,
      useProvider("head -c 200000000 /dev/zero | tr '\\0' y"),
    );
    expect(result).toEqual(["output_limit"]);
    expect(snapshot.run.failures).toMatchObject([
      { error: expect.stringContaining("answered with 200000000 bytes") },
    ]);
    expect(peakBytes).toBeLessThan(PEAK_LIMIT);
  });

  test("an answer of 15 MB arrives whole", async () => {
    await using home = await workflowHome();
    const { result } = await flood(
      home,
      `return (await agent("x")).length;`,
      useProvider("head -c 15000000 /dev/zero | tr '\\0' y"),
    );
    expect(result).toBe(15_000_000);
  });
});
