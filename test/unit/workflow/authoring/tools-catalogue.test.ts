import { expect, test } from "bun:test";
import { parse } from "acorn";
import { TOOLS } from "../../../../src/workflow/authoring/tools-catalogue.ts";

const NAMES =
  "phase log budget agent parallel pipeline check verify.untilGreen workflow gate coordinator.replan pallium.verify pallium.review pallium.handoff pallium.changedNow pallium.preflight pallium.decisions.record pallium.decisions.search pallium.explain pallium.safe pallium.plan pallium.task.start pallium.task.show pallium.task.clear".split(
    " ",
  );

function namesOfKind(kind: string): string[] {
  return TOOLS.filter((tool) => tool.kind === kind).map(({ name }) => name);
}

test("lists every tool once, in its order", () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(NAMES);
});

test("kinds hold the tools that callers expect", () => {
  expect(namesOfKind("verification")).toEqual(["check", "verify.untilGreen"]);
  expect(namesOfKind("agent")).toEqual(["agent"]);
  expect(namesOfKind("pallium")).toEqual(NAMES.filter((name) => name.startsWith("pallium.")));
});

test("no tool is said to be missing: all of them are there", () => {
  const texts = TOOLS.flatMap(({ description, notes = [] }) => [description, ...notes]);
  expect(texts.filter((text) => /in this version/i.test(text))).toEqual([]);
});

test("signatures begin with the name", () => {
  for (const { name, signature } of TOOLS) expect(signature).toStartWith(name);
  expect(TOOLS.map(({ signature }) => signature)).toContain("pipeline(items, stage1, stage2, ...)");
});

test("every example is script text that uses its tool", () => {
  for (const { name, example } of TOOLS) {
    expect(example).toContain(name);
    parse(example, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
  }
});

test("no text field is empty", () => {
  for (const { description, returns, example, notes = ["-"] } of TOOLS) {
    expect([description, returns, example, ...notes].every((text) => text !== "")).toBe(true);
    expect(notes.length).toBeGreaterThan(0);
  }
});
