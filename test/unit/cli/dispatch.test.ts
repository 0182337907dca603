import { describe, expect, test } from "bun:test";
import type { Command, CommandGroup } from "../../../src/cli/command.ts";
import { dispatch as dispatchProgram } from "../../../src/cli/dispatch.ts";
import { PalliumError } from "../../../src/lib/errors.ts";
import type { Environment } from "../../../src/platform/environment.ts";
import { testCommand, testProgram, testRoot } from "../../support/cli-program.ts";

const FLAGS = {
  limit: { type: "string", description: "How many.", default: "5" },
  deep: { type: "boolean", description: "All the way." },
} as const;

function dispatch(argv: readonly string[], root: CommandGroup, environment?: Partial<Environment>) {
  return testProgram(argv, environment).run(root);
}

function rootWith(definition: Partial<Command>): CommandGroup {
  return testRoot({ echo: testCommand(definition) }, { list: testCommand({ args: FLAGS }) });
}

const ROOT = rootWith({ args: FLAGS });

describe("answers", () => {
  test("are text and one newline", async () => {
    expect(await dispatch(["echo", "a", "b"], ROOT)).toEqual({
      stdout: "a b\n",
      stderr: "",
      exitCode: 0,
    });
    expect((await dispatch(["echo"], ROOT)).stdout).toBe("");
  });

  test("are one document with --json, wherever it stands", async () => {
    for (const argv of [
      ["--json", "echo", "a"],
      ["echo", "a", "-json"],
      ["echo", "--json=true", "a"],
    ]) {
      const { stdout, exitCode } = await dispatch(argv, ROOT);
      expect({ stdout, exitCode }).toEqual({
        stdout: '{\n  "rest": [\n    "a"\n  ]\n}\n',
        exitCode: 0,
      });
    }
  });

  test("know of no --json behind --", async () => {
    expect((await dispatch(["echo", "--", "--json"], ROOT)).stdout).toBe("--json\n");
  });

  test("in pieces are printed as they are, and made no longer than somebody reads", async () => {
    let made = 0;
    async function* pieces() {
      for (; made < 100; made++) yield made % 2 === 0 ? "\u001b[1mtext" : Buffer.from([0xc3, 0xa9]);
    }
    const root = rootWith({ run: async () => ({ pieces: pieces() }) });
    const { stdout } = await dispatch(["echo"], root, { stdoutIsTerminal: true });
    expect(stdout).toBe("\u001b[1mtexté".repeat(50));
    made = 0;
    const { program } = testProgram(["echo"]);
    const output = { ...program.output, data: async () => false };
    expect(await dispatchProgram({ ...program, output }, root)).toBe(0);
    expect(made).toBeLessThan(3);
  });

  test("come with their error, which decides the exit status", async () => {
    const error = new PalliumError("run_failed", "the run failed", {
      hints: ["look", "look"],
      exitCode: 3,
    });
    const root = rootWith({ run: async () => ({ data: { id: 1 }, text: "run 1", error }) });
    expect(await dispatch(["echo"], root)).toEqual({
      stdout: "run 1\n",
      stderr: "error: the run failed\n\nhint: look\n",
      exitCode: 3,
    });
    const json = await dispatch(["echo", "--json"], root);
    expect(JSON.parse(json.stdout)).toEqual({ id: 1 });
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code: "run_failed", message: "the run failed", hints: ["look"] },
    });
    expect(json.exitCode).toBe(3);
  });

  test("cannot command a terminal, but reach a pipe as they are", async () => {
    expect((await dispatch(["echo", "\u001b[2J"], ROOT)).stdout).toBe("\u001b[2J\n");
    const onTerminal = await dispatch(["echo", "\u001b[2J"], ROOT, { stdoutIsTerminal: true });
    expect(onTerminal.stdout).toBe("\\x1b[2J\n");
  });
});

describe("usage errors", () => {
  test("exit with 2 and print nothing on stdout", async () => {
    expect(await dispatch(["echo", "--limt=3"], ROOT)).toEqual({
      stdout: "",
      stderr: "error: flag provided but not defined: --limt\n\nhint: did you mean --limit?\n",
      exitCode: 2,
    });
  });

  test("are one line of JSON with --json, even if the line is wrong otherwise", async () => {
    const { stdout, stderr, exitCode } = await dispatch(["echo", "--limt=3", "--json"], ROOT);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      '{"error":{"code":"usage","message":"flag provided but not defined: --limt","hints":["did you mean --limit?"]}}\n',
    );
    expect(exitCode).toBe(2);
  });

  test("name global flags too", async () => {
    expect((await dispatch(["echo", "--jsno"], ROOT)).stderr).toContain("did you mean --json?");
    expect((await dispatch(["--jsno"], ROOT)).stderr).toContain("did you mean --json?");
    expect((await dispatch(["things", "--limit", "3", "list"], ROOT)).exitCode).toBe(2);
  });

  test.each([
    [[1, 1], "<id>", [], []],
    [[1, 1], "<id>", ["a", "b"], ["unexpected argument: b"]],
    [[0, 0], undefined, ["a"], ["unexpected argument: a"]],
  ] as const)("of arity %p begin with the usage line", async (arity, positionals, words, hints) => {
    const command = testCommand({ arity, args: FLAGS });
    const { positionals: _, ...bare } = command;
    const list = positionals === undefined ? bare : { ...command, positionals };
    const { stderr, exitCode } = await dispatch(
      ["things", "list", ...words, "--json"],
      testRoot({}, { list }),
    );
    const usage = [
      "pallium",
      "things",
      "list",
      ...(positionals === undefined ? [] : [positionals]),
    ];
    expect(JSON.parse(stderr).error).toMatchObject({
      message: `usage: ${usage.join(" ")} [flags]`,
      hints: [...hints, "run pallium things list --help for its flags"],
    });
    expect(exitCode).toBe(2);
  });
});

describe("unknown commands", () => {
  test("print help and the nearest name", async () => {
    const { stdout, stderr, exitCode } = await dispatch(["ehco"], ROOT);
    expect(stdout).toStartWith("A program for tests.\n\nUsage:\n  pallium <command> [flags]\n");
    expect(stderr).toStartWith("error: unknown command: ehco\n\nhint: did you mean echo?\n");
    expect(exitCode).toBe(2);
    expect((await dispatch(["ehco", "--help"], ROOT)).exitCode).toBe(2);
  });

  test("of a group name the group", async () => {
    const { stdout, stderr, exitCode } = await dispatch(["things", "lst", "--limit", "1"], ROOT);
    expect(stdout).toContain("pallium things <command>");
    expect(stderr).toStartWith(
      "error: unknown things subcommand: lst\n\nhint: did you mean list?\n",
    );
    expect(exitCode).toBe(2);
  });

  test("print an error only with --json", async () => {
    const { stdout, stderr } = await dispatch(["things", "lst", "--json"], ROOT);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr).error.message).toBe("unknown things subcommand: lst");
  });

  test("are found behind -- too", async () => {
    expect((await dispatch(["--", "echo"], ROOT)).stderr).toContain("unknown command: echo");
  });
});

describe("defects", () => {
  const root = rootWith({
    run: async () => {
      throw new TypeError("x is not a function", { cause: new Error("the reason") });
    },
  });

  test("exit with 1 and ask to be reported", async () => {
    const { stdout, stderr, exitCode } = await dispatch(["echo"], root);
    expect([stdout, exitCode]).toEqual(["", 1]);
    expect(stderr).toStartWith("error: x is not a function\n\nhint: this is a defect of pallium");
    expect(stderr).not.toContain("the reason");
  });

  test("tell with --verbose where they come from and why", async () => {
    expect((await dispatch(["echo", "--verbose"], root)).stderr).toContain("the reason");
    const json = await dispatch(["echo", "--verbose", "--json"], root);
    const { error } = JSON.parse(json.stderr);
    expect(error.code).toBe("internal_error");
    expect(error.stacks[0]).toContain("dispatch.test.ts");
  });

  test("in loading a command are reported as well", async () => {
    const broken: CommandGroup = {
      ...ROOT,
      children: {
        echo: { kind: "command", summary: "", load: () => Promise.reject(new Error("no module")) },
      },
    };
    expect(await dispatch(["echo"], broken)).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

test("services are made once, and only when asked for", async () => {
  const { program, run } = testProgram(["echo"]);
  let made = 0;
  const counting = rootWith({
    run: async (_, context) => {
      await Promise.allSettled([context.services(), context.services()]);
      return { data: null, text: "" };
    },
  });
  Object.assign(program, { createServices: () => Promise.reject(new Error(String(++made))) });
  await run(ROOT);
  expect(made).toBe(0);
  await run(counting);
  expect(made).toBe(1);
});

test("messages go to stderr in order, progress not with --quiet", async () => {
  const root = rootWith({
    run: async (_, { printer }) => {
      printer.progress("one");
      printer.warn("two");
      printer.notice("three");
      printer.progress("four");
      return { data: null, text: "" };
    },
  });
  expect((await dispatch(["echo"], root)).stderr).toBe("one\nwarning: two\nthree\nfour\n");
  expect((await dispatch(["echo", "--quiet"], root)).stderr).toBe("warning: two\nthree\n");
  const terminal = { stderrIsTerminal: true };
  expect((await dispatch(["echo"], root, terminal)).stderr).toBe(
    "one\n[WARN] two\n[NOTE] three\nfour\n",
  );
  for (const plain of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    const { stderr } = await dispatch(["echo"], root, { ...terminal, variables: plain });
    expect(stderr).toBe("one\nwarning: two\nthree\nfour\n");
  }
  expect((await dispatch(["echo", "--no-color"], root, terminal)).stderr).toContain("warning: two");
});

test("errors are coloured on terminals that take colours", async () => {
  const terminal = { stderrIsTerminal: true };
  expect((await dispatch(["ehco"], ROOT, terminal)).stderr).toContain("\u001b[31merror:");
  for (const [argv, variables] of [
    [["ehco"], { NO_COLOR: "1" }],
    [["ehco", "--no-color"], {}],
  ] as const) {
    expect((await dispatch(argv, ROOT, { ...terminal, variables })).stderr).not.toContain("\u001b");
  }
  expect(
    (await dispatch(["ehco"], ROOT, { ...terminal, variables: { NO_COLOR: "" } })).stderr,
  ).toContain("\u001b");
});
