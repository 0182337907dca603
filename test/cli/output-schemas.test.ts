/** Every document a command prints is what its operation's schema says: the schemas are strict. */
import { describe, expect, test } from "bun:test";
import { outputs } from "../../src/operations/schemas.ts";
import { type OperationName, operations } from "../../src/operations/table.ts";
import { workflowHome } from "../support/workflow.ts";

describe("the output schemas", () => {
  test("describe every operation", () => {
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(operations).sort());
  });

  test("hold for a run with every kind of record", async () => {
    await using home = await workflowHome();
    const run = await home.script(
      `phase("p");
       await agent("x", { label: "l", model: "m", schema: { type: "object" } });
       await parallel([1], () => { throw new Error("no"); });
       return { a: 1 };`,
      { stub: '{"a":1}', flags: ["--args", "{}", "--max-budget-usd", "1", "--agent-timeout", "9"] },
    );
    const documents: [OperationName, unknown][] = [["workflow.run", run.snapshot]];
    for (const name of ["status", "inspect", "show", "read", "stop", "pause", "resume"] as const) {
      documents.push([
        `workflow.${name}`,
        await home.json(["workflow", name, "wf-test"], { PALLIUM_WORKFLOW_AGENT_STUB: "x" }),
      ]);
    }
    documents.push(["workflow.list", await home.json(["workflow", "list"])]);
    documents.push(["workflow.tools", await home.json(["workflow", "tools"])]);
    documents.push(["workflow.validate", await home.json(["workflow", "validate", "script.js"])]);
    for (const [name, document] of documents) {
      const { error } = outputs[name].safeParse(document);
      expect({ name, issues: error?.issues ?? [] }).toEqual({ name, issues: [] });
    }
  });

  test("hold for gates, however they stand", async () => {
    await using home = await workflowHome();
    const stub = '{"approved":true,"reason":"r"}';
    await home.script('await gate("one"); await gate("two", "p");', { stub });
    const decide = (name: string, gate: string) =>
      home.json(["workflow", "gate", name, "wf-test", gate, "--reason", "why"]);
    const documents: [OperationName, unknown][] = [
      ["workflow.gate.reopen", await decide("reopen", "one")],
      ["workflow.gate.reopen", await decide("reopen", "two")],
      ["workflow.gate.approve", await decide("approve", "one")],
      ["workflow.gate.reject", await decide("reject", "two")],
      ["workflow.gate.list", await home.json(["workflow", "gate", "list", "wf-test"])],
    ];
    for (const [name, document] of documents) {
      const { error } = outputs[name].safeParse(document);
      expect({ name, issues: error?.issues ?? [] }).toEqual({ name, issues: [] });
    }
  });

  test("hold for rehearsals of scripts, whatever comes of them", async () => {
    await using home = await workflowHome();
    const scripts = [
      'phase("p"); return parallel([1, 2], (n) => agent("a" + n, { label: "l" }));',
      'await agent("a", { lable: "l" });',
      'return Promise.race([agent("a"), agent("b")]);',
    ];
    for (const source of scripts) {
      await Bun.write(`${home.directory}/script.js`, source);
      for (const name of ["workflow.dry-run", "workflow.check-determinism"] as const) {
        const document = await home.json([...name.split("."), "script.js"]);
        const { error } = outputs[name].safeParse(document);
        expect({ name, issues: error?.issues ?? [] }).toEqual({ name, issues: [] });
      }
    }
  });

  test("hold for invalid scripts and warnings", async () => {
    await using home = await workflowHome();
    for (const source of ["return fetch;", "phase(;"]) {
      await Bun.write(`${home.directory}/script.js`, source);
      const document = await home.json<{ valid: boolean }>(["workflow", "validate", "script.js"]);
      expect(outputs["workflow.validate"].safeParse(document).error?.issues ?? []).toEqual([]);
    }
  });
});
