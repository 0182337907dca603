import type { Command, CommandGroup, CommandResult } from "../../src/cli/command.ts";
import { dispatch } from "../../src/cli/dispatch.ts";
import { createInterrupts } from "../../src/cli/interrupts.ts";
import type { Program } from "../../src/cli/program.ts";
import type { Environment } from "../../src/platform/environment.ts";

export interface Spoken {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A program without a process: what it prints is collected, and it has no services. */
export function testProgram(argv: readonly string[], environment: Partial<Environment> = {}) {
  let stdout = "";
  let stderr = "";
  const program: Program = {
    environment: {
      argv,
      variables: {},
      cwd: "/",
      home: "",
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
      self: ["pallium"],
      ...environment,
    },
    version: {
      module: "pallium",
      version: "1.2.3",
      bun: "1.0.0",
      platform: "linux-x64",
      executable: "/bin/pallium",
    },
    output: {
      data: async (data) => {
        stdout += typeof data === "string" ? data : new TextDecoder().decode(data);
        return true;
      },
      message: (text) => {
        stderr += text;
      },
      waiting: () => 0,
      readerGone: async () => new AbortController().signal,
      confirm: async () => undefined,
      terminal: { size: () => ({ columns: 80, rows: 24 }), onResize: () => () => {} },
    },
    interrupts: createInterrupts({ subscribe: () => () => {} }),
    loadBadges: async () => ({
      warn: (line) => program.output.message(`[WARN] ${line}\n`),
      notice: (line) => program.output.message(`[NOTE] ${line}\n`),
    }),
    createServices: () => Promise.reject(new Error("this program has no services")),
    outputSchema: async (operation) => ({ title: operation }),
  };
  return {
    program,
    run: async (root: CommandGroup): Promise<Spoken> => {
      const exitCode = await dispatch(program, root);
      return { stdout, stderr, exitCode };
    },
  };
}

/** A command for tests; it answers with what it was given unless told otherwise. */
export function testCommand(definition: Partial<Command> = {}): Command {
  return {
    name: "echo",
    summary: "Answer with the positionals.",
    positionals: "[word...]",
    arity: [0, Number.POSITIVE_INFINITY],
    args: {},
    run: async (args): Promise<CommandResult> => ({
      data: { rest: args.rest },
      text: args.rest.join(" "),
    }),
    ...definition,
  };
}

/** A root with these commands, those in `nested` within the group `things`. */
export function testRoot(
  commands: Readonly<Record<string, Command>>,
  nested: Readonly<Record<string, Command>> = {},
  fallback?: string,
): CommandGroup {
  const children = (of: Readonly<Record<string, Command>>): CommandGroup["children"] =>
    Object.fromEntries(
      Object.entries(of).map(([name, command]) => [
        name,
        { kind: "command", summary: command.summary, load: async () => command },
      ]),
    );
  return {
    kind: "group",
    summary: "A program for tests.",
    children: {
      ...children(commands),
      things: {
        kind: "group",
        summary: "Things.",
        aliases: ["stuff"],
        ...(fallback === undefined ? {} : { fallback }),
        children: children(nested),
      },
    },
  };
}
