/** Scripts mean what they say: names, missing arguments, meta, time, phases, and refusal before the first cost. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorOf, provider, workflowHome } from "../support/workflow.ts";

/** Turns what a call throws into its code, or its name where it has none. */
const CODE = `const code = (call) => (async () => call())().then(() => "fine", (e) => e.code ?? e.name);`;

describe("time", () => {
  test("is that of no machine: no clock behind any door, no time zone (S7)", async () => {
    await using home = await workflowHome();
    const doors = [
      "new Date(0).constructor.now()",
      "new (new Date(0).constructor)()",
      "Reflect.construct(Date, [])",
      "Object.getPrototypeOf(new Date(0)).constructor.now()",
      "new (class extends Date {})()",
      "Date()",
    ];
    const opened = doors.map((door) => `shut(() => ${door})`).join(", ");
    const source = `const shut = (door) => { try { return door() } catch (e) { return e.message } };
      const at = new Date(0);
      return {
        doors: [${opened}],
        local: [at.getHours(), at.getDay(), at.getTimezoneOffset(), new Date(2020, 0, 2, 3).toISOString(),
          Date.parse("2020-01-01T00:00"), at.toString(), at.toLocaleString()],
        instance: at instanceof Date,
      };`;
    const east = await home.script(source, { env: { TZ: "Asia/Tokyo" } });
    const west = await home.script(source, { id: "wf-west", env: { TZ: "America/New_York" } });
    const { doors: answers, local, instance } = east.result as Record<string, unknown[]>;
    for (const answer of answers ?? []) {
      expect(answer).toContain("is disabled in Pallium workflow scripts");
    }
    expect(answers).toHaveLength(doors.length);
    const epoch = [0, 4, 0, "2020-01-02T03:00:00.000Z", 1_577_836_800_000];
    expect(local?.slice(0, epoch.length)).toEqual(epoch);
    expect(instance as unknown).toBe(true);
    expect(west.result).toEqual(east.result);
  });
});

describe("an argument that is missing", () => {
  test("is said, and never becomes the text undefined (E6)", async () => {
    await using home = await workflowHome();
    const calls = [
      ["agent()", "prompt_required"],
      ["agent(undefined)", "prompt_required"],
      ["agent(null, { label: 'x' })", "prompt_required"],
      ["agent(' ')", "prompt_required"],
      ["check()", "command_required"],
      ["check(null)", "command_required"],
      ["parallel()", "TypeError"],
      ["pipeline()", "TypeError"],
    ];
    const { result, snapshot } = await home.script(
      `${CODE} const codes = [${calls.map(([call]) => `await code(() => ${call})`).join(", ")}];
       phase(); log(); return codes;`,
      {
        env: {
          PALLIUM_WORKFLOW_PROVIDER: "p",
          ...provider("p", 'touch "$HOME/paid"; echo fine'),
        },
      },
    );
    expect(result).toEqual(calls.map(([, code]) => code));
    expect(snapshot.agents).toEqual([]);
    expect(snapshot.phases.map(({ name }) => name)).toEqual(["default"]);
    expect(existsSync(join(home.directory, "paid"))).toBe(false);
  });
});

describe("meta", () => {
  const source = [
    "export const meta = {",
    '  name: "m", // the } of a comment',
    '  description: "a } brace, and export const meta = { }",',
    "};",
    "// export const meta = { a: 1 };",
    "const text = 'export const meta = { b: 2 };';",
    "if (args) throw new Error('here');",
    "return [text, meta.description];",
  ].join("\n");

  test("is taken from the script and from no text in it; lines keep their numbers (E8)", async () => {
    await using home = await workflowHome();
    const { result } = await home.script(source);
    expect(result).toEqual([
      "export const meta = { b: 2 };",
      "a } brace, and export const meta = { }",
    ]);
    const failing = await home.script(source, { flags: ["--args", "1"] });
    expect(failing.snapshot.run.error).toBe("Error: here (line 7, column 17)");
  });
});

describe("names of options", () => {
  test("that nobody knows are refused, never passed over (E9)", async () => {
    await using home = await workflowHome();
    const { result, snapshot } = await home.script(
      `${CODE} return [
         await code(() => agent("x", { failOnDeny: true })), await code(() => agent("x", { fixModel: "m" })),
         await code(() => check("true", { timeout: 1 })),
       ];`,
      { stub: "x" },
    );
    expect(result).toEqual(["bad_option", "bad_option", "bad_option"]);
    expect(snapshot.agents).toEqual([]);
  });

  test("and log prints data as JSON (E9)", async () => {
    await using home = await workflowHome();
    const { stderr } = await home.script(`log({ a: [1, { b: "c" }] }, "and text");`);
    expect(stderr).toContain('[workflow:wf-test] {"a":[1,{"b":"c"}]} and text\n');
  });
});

describe("a script that is none", () => {
  test.each([
    ["empty", "// nothing"],
    ["broken", `phase("scan";`],
  ])("%s: run refuses it and validate exits 1 (E10)", async (_name, source) => {
    await using home = await workflowHome();
    const path = join(home.directory, "bad.js");
    await writeFile(path, source);
    const run = await home.pallium(["workflow", "run", "--script", path, "--json"]);
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(errorOf(run.stderr).code).toMatch(/^script_(empty|syntax)$/);
    expect(await home.json<unknown[]>(["workflow", "list"])).toEqual([]);
    const validate = await home.pallium(["workflow", "validate", path, "--json"]);
    expect(validate.exitCode).toBe(1);
    expect(JSON.parse(validate.stdout)).toMatchObject({ valid: false });
    await writeFile(path, "return 1;");
    expect((await home.pallium(["workflow", "validate", path])).exitCode).toBe(0);
  });
});

describe("an answer", () => {
  test("is data where it is an object or a list, or where a schema asks for it, else text (D16)", async () => {
    await using home = await workflowHome();
    const answers = ["42", "true", "null", '"quoted"', "1e3", '{"a":1}', "[1]"];
    const { result } = await home.script(
      `const texts = await parallel(args, (answer) => agent(answer));
       const number = await agent("42", { schema: { type: "number" } });
       return [...texts, number];`,
      { stub: "{{PROMPT}}", flags: ["--args", JSON.stringify(answers)] },
    );
    expect(result).toEqual(["42", "true", "null", '"quoted"', "1e3", { a: 1 }, [1], 42]);
  });
});

describe("a phase that is entered again", () => {
  test("counts on, and what follows its callback counts outside (S5)", async () => {
    await using home = await workflowHome();
    const { snapshot } = await home.script(
      `phase("outer");
       await phase("inner", () => agent("one"));
       await phase("inner", () => agent("two"));
       await agent("three");
       phase("outer");
       await agent("four");`,
      { stub: "fine" },
    );
    expect(
      Object.fromEntries(snapshot.phases.map(({ name, agent_count }) => [name, agent_count])),
    ).toEqual({ outer: 2, inner: 2 });
    expect(snapshot.phases.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(snapshot.agents.map(({ phase }) => phase)).toEqual(["inner", "inner", "outer", "outer"]);
  });
});
