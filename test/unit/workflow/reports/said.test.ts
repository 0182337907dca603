import { expect, test } from "bun:test";
import { saidIn } from "../../../../src/workflow/reports/said.ts";

const said = (value: unknown) => saidIn(JSON.stringify(value));

test("findings, risks and next steps have several names, and are met at any depth", () => {
  expect(
    said({
      findings: ["f"],
      deep: [{ er: { top_findings: ["t"], observations: "o", claims: ["c"], corrections: ["k"] } }],
      risks: ["r"],
      inner: { risk: "s" },
      next_steps: ["n"],
      next_step: "m",
      next_prompt: "p",
    }),
  ).toEqual({
    findings: ["f", "t", "o", "c", "k"],
    risks: ["r", "s"],
    nextSteps: ["n", "m", "p"],
  });
});

test("entries are texts, lists, or objects with a message, a name or the like; each is said once", () => {
  const entries = [
    " a ",
    ["b", ["c", "a"]],
    { message: "d", name: "no" },
    { name: "e" },
    { message: " ", title: "f" },
    { description: "g" },
    { severity: "high" },
    "",
    7,
    null,
  ];
  expect(said({ findings: entries }).findings).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});

test("the outermost summary counts, whatever stands before it", () => {
  expect(said({ parts: [{ summary: "inner" }], verdict: "outer" }).summary).toBe("outer");
  expect(said({ verdict: "v", decision: "d", summary: "s" }).summary).toBe("s");
  expect(said({ parts: [{ decision: "inner" }] }).summary).toBe("inner");
});

test.each(["plain text", "42", "", "{broken", '"findings"'])("%p says nothing", (text) => {
  expect(saidIn(text)).toEqual({ findings: [], risks: [], nextSteps: [] });
});

test("answers may be nested deeper than calls can be", () => {
  const depth = 20_000;
  const answer = `${'{"findings":['.repeat(depth)}"deep"${"]}".repeat(depth)}`;
  expect(saidIn(answer).findings).toEqual(["deep"]);
});
