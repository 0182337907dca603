import { describe, expect, test } from "bun:test";
import { tryScript } from "../../../support/script-host.ts";

/** Scopes of the calls by prompt, and phases likewise. */
async function placesOf(script: string) {
  const { outcome, calls } = await tryScript(script);
  expect(outcome).toMatchObject({ kind: "returned" });
  return {
    scopes: Object.fromEntries(calls.map(({ args, scope }) => [String(args[0]), scope])),
    phases: Object.fromEntries(calls.map(({ args, phase }) => [String(args[0]), phase])),
  };
}

describe("scopes", () => {
  test("name the groups and items around a call, counted per scope", async () => {
    const { scopes } = await placesOf(`
      await agent("top");
      await parallel(["a", "b"], async (item) => {
        await agent("outer " + item);
        await parallel([1], () => agent("first " + item));
        await parallel([1], () => agent("second " + item));
        await pipeline(["x"], () => agent("stage 0 " + item), () => agent("stage 1 " + item));
      });
      await parallel([() => agent("again")]);
      await agent("end");`);
    expect(scopes).toEqual({
      top: "",
      "outer a": "parallel#0[0]",
      "outer b": "parallel#0[1]",
      "first a": "parallel#0[0]/parallel#0[0]",
      "first b": "parallel#0[1]/parallel#0[0]",
      "second a": "parallel#0[0]/parallel#1[0]",
      "second b": "parallel#0[1]/parallel#1[0]",
      "stage 0 a": "parallel#0[0]/pipeline#0[0].0",
      "stage 0 b": "parallel#0[1]/pipeline#0[0].0",
      "stage 1 a": "parallel#0[0]/pipeline#0[0].1",
      "stage 1 b": "parallel#0[1]/pipeline#0[0].1",
      again: "parallel#1[0]",
      end: "",
    });
  });

  test("survive combinators, thenables, generators and late continuations", async () => {
    const { scopes } = await placesOf(`
      async function* numbers(name) { for (const n of [1, 2]) { await null; yield await agent(name + n) } }
      const thenable = (name) => ({ then(resolve) { agent(name).then(resolve) } });
      await parallel([
        () => Promise.all([agent("all 1"), agent("all 2").then(() => agent("chained"))]),
        async () => { for await (const n of numbers("generator ")) await agent("after " + n) },
        async () => { await thenable("thenable"); await agent("after thenable") },
        async () => { await Promise.race([agent("race"), agent("race 2")]); await Promise.allSettled([agent("settled")]) },
        async () => { await Array.fromAsync(numbers("from async ")); await agent("after from async") },
        async () => { try { await Promise.reject(1) } catch { await agent("catch") } finally { await agent("finally") } },
      ]);`);
    expect(scopes).toEqual({
      "all 1": "parallel#0[0]",
      "all 2": "parallel#0[0]",
      chained: "parallel#0[0]",
      "generator 1": "parallel#0[1]",
      "generator 2": "parallel#0[1]",
      "after generator 1": "parallel#0[1]",
      "after generator 2": "parallel#0[1]",
      thenable: "parallel#0[2]",
      "after thenable": "parallel#0[2]",
      race: "parallel#0[3]",
      "race 2": "parallel#0[3]",
      settled: "parallel#0[3]",
      "from async 1": "parallel#0[4]",
      "from async 2": "parallel#0[4]",
      "after from async": "parallel#0[4]",
      catch: "parallel#0[5]",
      finally: "parallel#0[5]",
    });
  });

  test("nesting without end is an error of the script", async () => {
    const { outcome } = await tryScript(`
      let failure = "none";
      const down = async () => { try { await parallel([1], down) } catch (e) { failure = e.message } };
      await down();
      return failure`);
    expect(outcome).toMatchObject({
      value: "parallel, pipeline and workflow are nested too deeply",
    });
  });
});

describe("phase()", () => {
  test("holds for the scope and what it starts later, not for its siblings", async () => {
    const { phases } = await placesOf(`
      await agent("before");
      phase("outer");
      const started = parallel(["a", "b"], async (item) => {
        await agent("inherited " + item);
        if (item === "a") phase("of a");
        await agent("own " + item);
        await parallel([1], () => agent("nested " + item));
      });
      phase("next");
      await agent("after");
      await started;`);
    expect(phases).toEqual({
      before: "",
      "inherited a": "outer",
      "inherited b": "outer",
      "own a": "of a",
      "own b": "outer",
      "nested a": "of a",
      "nested b": "outer",
      after: "next",
    });
  });

  test("with a callback holds for the callback only, and returns its value", async () => {
    const { outcome, calls, phases } = await tryScript(`
      phase("outside");
      const value = await phase("inside", async () => {
        await agent("in");
        phase("deeper");
        await agent("deep");
        return 7;
      });
      await agent("out");
      const both = await Promise.all([
        phase("x", async () => { await agent("wait"); return await agent("in x") }),
        phase("y", async () => { await null; return await agent("in y") }),
      ]);
      return [value, phase("sync", () => 8), both]`);
    expect(outcome).toMatchObject({ value: [7, 8, ["in x", "in y"]] });
    expect(calls.map(({ args, phase }) => [args[0] ?? null, phase])).toEqual([
      ["in", "inside"],
      ["deep", "deeper"],
      ["out", "outside"],
      ["wait", "x"],
      ["in y", "y"],
      ["in x", "x"],
    ]);
    expect(phases).toEqual([
      "+outside",
      "+inside",
      "-inside",
      "+deeper",
      "-deeper",
      "+x",
      "+y",
      "-y",
      "-x",
      "+sync",
      "-sync",
      "-outside",
    ]);
  });

  test("a callback that throws leaves its phase", async () => {
    const { outcome, phases } = await tryScript(`
      try { phase("a", () => { throw new Error("now") }) } catch {}
      return await phase("b", async () => { await null; throw new Error("later") }).catch((e) => e.message)`);
    expect(outcome).toMatchObject({ value: "later" });
    expect(phases).toEqual(["+a", "-a", "+b", "-b"]);
  });

  test("opens with its first holder and closes with its last", async () => {
    const { phases } = await tryScript(`
      await parallel(Array.from({ length: 8 }, (_, i) => i), async (i) => {
        phase("shared");
        await agent("x" + i);
        if (i > 5) phase("late");
        await agent("y" + i);
      });`);
    expect([...phases].sort()).toEqual(["+late", "+shared", "-late", "-shared"]);
    expect(phases[0]).toBe("+shared");
  });

  test("stays open between the stages of a pipeline", async () => {
    const { phases } = await tryScript(`
      phase("outer");
      const running = pipeline([1], () => agent("a"), () => agent("b"), () => agent("c"));
      phase("other");
      await running;`);
    expect(phases).toEqual(["+outer", "+other", "-outer", "-other"]);
  });

  test("names: empty is default, what is no text is refused", async () => {
    const { outcome, phases } = await tryScript(`
      phase(); phase("  "); phase(2);
      const refused = (...given) => { try { phase(...given); return "" } catch (e) { return e.message } };
      return [refused({}), refused("x", 5), refused("x".repeat(1001))]`);
    expect(phases).toEqual(["+default", "-default", "+2", "-2"]);
    expect(outcome).toMatchObject({
      value: [
        "phase name must be a string",
        "phase callback must be a function",
        "phase name is longer than 1000 characters",
      ],
    });
  });
});
