import { describe, expect, test } from "bun:test";
import type { Command, CommandContext } from "../../../src/cli/command.ts";
import { parseArgs } from "../../../src/cli/parse.ts";
import { createPrinter } from "../../../src/cli/printer.ts";
import { PROGRAM_NAME } from "../../../src/cli/program.ts";
import { createRegistry } from "../../../src/cli/registry.ts";
import { leaves } from "../../../src/cli/resolve.ts";
import { inputs } from "../../../src/operations/input-schemas.ts";
import type { Services } from "../../../src/operations/services.ts";
import { type OperationName, operations } from "../../../src/operations/table.ts";
import { testProgram } from "../../support/cli-program.ts";

/** Flags that are refused, choose another operation, or say a positional in another way. */
const NOT_PASSED_ON: Readonly<Record<string, readonly string[]>> = {
  run: ["background"],
  resume: ["background", "plan", "script"],
  validate: ["script"],
  diff: ["side-by-side"],
};

/** Operations of repo memory that are not called as the service's function. */
const REPO_OPERATIONS: Readonly<Record<string, string>> = {
  changedNow: "changed-now",
  preflight: "workflow.preflight",
  taskStart: "task.start",
  taskShow: "task.show",
  taskClear: "task.clear",
};
/** Those of workflows whose name is not that of their function. */
const GROUPED_OPERATIONS: Readonly<Record<string, string>> = {
  triggerAdd: "trigger.add",
  triggerList: "trigger.list",
  triggerShow: "trigger.show",
  triggerEnable: "trigger.enable",
  triggerDisable: "trigger.disable",
  triggerDelete: "trigger.delete",
  triggerRun: "trigger.run",
  triggerWatch: "trigger.watch",
  triggerInstall: "trigger.install",
  gateList: "gate.list",
  gateApprove: "gate.approve",
  gateReject: "gate.reject",
  gateReopen: "gate.reopen",
  templateList: "template.list",
  templateShow: "template.show",
  libraryList: "library.list",
  libraryShow: "library.show",
  libraryInstall: "library.install",
  dryRun: "dry-run",
  checkDeterminism: "check-determinism",
  deleteRun: "delete",
  exportRun: "export",
  importRun: "import",
};
/** Those of the workflow service that are not below `workflow`. */
const TOP_OPERATIONS: Readonly<Record<string, string>> = {
  settings: "settings",
  trust: "trust",
  trustList: "trust.list",
  trustRevoke: "trust.revoke",
};
/** More words than this say nothing new. */
const MOST_WORDS = 2;
/** With more, these call another operation. */
const FEWER_WORDS: Readonly<Record<string, number>> = { diff: 1 };

const { program } = testProgram([]);
const COMMANDS: { readonly name: string; readonly command: Command }[] = [];
for (const { path, leaf } of leaves(createRegistry(program), [PROGRAM_NAME])) {
  const command = await leaf.load();
  if (command.operation !== undefined) COMMANDS.push({ name: path.slice(1).join(" "), command });
}

/** Every flag of the command, each with a value that may be text or a number. */
function everyFlag({ name, args }: Command): string[] {
  const left = NOT_PASSED_ON[name] ?? [];
  return Object.entries(args)
    .filter(([flag]) => !left.includes(flag))
    .flatMap(([flag, definition]) => {
      if (definition.type === "boolean") return [`--${flag}`];
      return [`--${flag}=${definition.type === "enum" ? definition.options?.[0] : "1"}`];
    });
}

/** The operation that a command calls, and what it hands over. */
async function calledWith(command: Command, words: readonly string[]) {
  const calls: [string, Record<string, unknown>][] = [];
  const recorder = (operationOf: (verb: string) => string) =>
    new Proxy(
      {},
      {
        get: (_, verb: string) =>
          // What has no `then` is no promise: it is what was waited for.
          verb === "then"
            ? undefined
            : (input: Record<string, unknown>) => {
                calls.push([operationOf(verb), input]);
                throw new Error("called");
              },
      },
    );
  const services = {
    workflow: async () =>
      recorder((verb) => TOP_OPERATIONS[verb] ?? `workflow.${GROUPED_OPERATIONS[verb] ?? verb}`),
    repo: async () => recorder((verb) => REPO_OPERATIONS[verb] ?? verb),
    sessions: async () => recorder((verb) => `sessions.${verb}`),
  } as unknown as Services;
  const context: CommandContext = {
    environment: program.environment,
    services: async () => services,
    printer: createPrinter({ quiet: true, terminal: false, write: () => {}, waiting: () => 0 }),
    interrupts: program.interrupts,
    readerGone: program.output.readerGone,
    confirm: program.output.confirm,
    json: true,
    watched: false,
  };
  await expect(command.run(parseArgs(words, command.args), context)).rejects.toThrow("called");
  return calls[0] ?? ["none", {}];
}

test("there is one for every operation", () => {
  expect(Object.keys(inputs).sort()).toEqual(Object.keys(operations).sort());
});

describe("the schema of what an operation takes", () => {
  test.each(COMMANDS)("has every flag of $name, and no field without one", async ({ command }) => {
    const positionals = Array.from(
      { length: Math.min(command.arity[1], FEWER_WORDS[command.name] ?? MOST_WORDS) },
      () => "word",
    );
    const words = [...everyFlag(command), ...positionals];
    const [operation, input] = await calledWith(command, words);
    expect(operation).toBe(command.operation ?? "");
    const schema = inputs[operation as OperationName];
    expect(schema.safeParse(input).error?.issues ?? []).toEqual([]);
    expect(Object.keys(input).sort()).toEqual(Object.keys(schema.shape).sort());
  });

  test("has the flags of resume --plan", async () => {
    const resume = COMMANDS.find(({ name }) => name === "workflow resume")?.command as Command;
    const words = ["--plan", "--script=a.js", "--db=s", "wf"];
    const [operation, input] = await calledWith(resume, words);
    expect(operation).toBe("workflow.plan");
    expect(inputs["workflow.plan"].parse(input)).toEqual({ db: "s", id: "wf", script: "a.js" });
  });

  test("has the flags of diff of two runs", async () => {
    const diff = COMMANDS.find(({ name }) => name === "workflow diff")?.command as Command;
    const [operation, input] = await calledWith(diff, ["--db=s", "--stat", "wf-1", "wf-2"]);
    expect(operation).toBe("workflow.compare");
    const request = { db: "s", before: "wf-1", after: "wf-2" };
    expect(inputs["workflow.compare"].parse(input)).toEqual(request);
  });

  test("refuses what no operation knows", () => {
    expect(inputs["workflow.show"].safeParse({ id: "wf", lable: 1 }).success).toBe(false);
    expect(inputs["workflow.run"].safeParse({ retries: -1 }).success).toBe(false);
  });
});
