import { expect, test } from "bun:test";
import { flagTable } from "../../../src/cli/flag-table.ts";
import { GLOBAL_ARGS } from "../../../src/cli/global-flags.ts";
import { PROGRAM_NAME } from "../../../src/cli/program.ts";
import { createRegistry } from "../../../src/cli/registry.ts";
import { leaves } from "../../../src/cli/resolve.ts";
import { testProgram } from "../../support/cli-program.ts";

const ROOT = createRegistry(testProgram([]).program);
const COMMANDS = await Promise.all(
  [...leaves(ROOT, [PROGRAM_NAME])].map(async ({ path, leaf }) => ({
    name: path.slice(1).join(" "),
    leaf,
    command: await leaf.load(),
  })),
);

test.each(COMMANDS)(
  "$name says the same of itself in the list of commands",
  ({ leaf, command }) => {
    expect(command.summary).toBe(leaf.summary);
  },
);

test.each(COMMANDS)("$name takes the flags of every command for nothing else", ({ command }) => {
  const globals = flagTable(GLOBAL_ARGS);
  expect([...flagTable(command.args).keys()].filter((spelling) => globals.has(spelling))).toEqual(
    [],
  );
});

test.each(COMMANDS)("$name describes each of its flags", ({ command }) => {
  for (const [name, { description }] of Object.entries(command.args)) {
    expect({ name, description }).toEqual({
      name,
      description: expect.stringMatching(/^\S.*[^.\s]$/),
    });
  }
});
