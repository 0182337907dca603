import { describe, expect, test } from "bun:test";
import { tryScript } from "../../../support/script-host.ts";

const MIB = 1024 * 1024;
const memoryBytes = 128 * MIB;

describe("the memory of a script", () => {
  test("over its limit ends it, and says which calls were at work", async () => {
    const script = `agent("x"); await agent("y"); const a = []; for (;;) a.push({});`;
    const answer = ({ id }: { id: number }) => (id === 1 ? new Promise<null>(() => {}) : null);
    const { outcome } = await tryScript(script, { answer, memoryBytes });
    expect(outcome).toEqual({ kind: "memory", abandoned: [1] });
  });

  test("is not what the host holds", async () => {
    const held: string[] = [];
    const answer = () => {
      for (let n = 0; n < 10; n += 1)
        held.push(`${"x".repeat(5 * MIB)}${held.length}`.toUpperCase());
      return null;
    };
    const script = `for (let n = 0; n < 6; n++) await agent("x"); return "fine"`;
    const { outcome } = await tryScript(script, { answer, memoryBytes });
    expect(outcome).toMatchObject({ kind: "returned", value: "fine" });
    expect(held.length).toBe(60);
  });

  test("is what is over the bytes that are spared, which may change", async () => {
    let spared = 2048 * MIB;
    const script =
      "const a = []; for (let n = 0; ; n++) { a.push(String(n)); if (n % 20_000 === 0) await agent(n); }";
    const answer = ({ args }: { readonly args: readonly unknown[] }) => {
      if (Number(args[0]) >= 1_000_000) spared = -2048 * MIB;
      return args[0] as number;
    };
    const trial = await tryScript(script, { answer, memoryBytes, sparedBytes: () => spared });
    expect(trial.outcome).toMatchObject({ kind: "memory" });
    expect(spared).toBeLessThan(0);
  });

  test("is not what it let go of", async () => {
    const script = `let total = 0;
      for (let n = 0; n < 40; n++) total += (await agent("x")).length;
      return total / 40`;
    const answer = () => "x".repeat(8 * MIB);
    const { outcome } = await tryScript(script, { answer, memoryBytes: 384 * MIB });
    expect(outcome).toMatchObject({ kind: "returned", value: 8 * MIB });
  });
});
