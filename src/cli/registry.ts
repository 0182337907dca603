import type { Command, CommandGroup, CommandLeaf } from "./command.ts";
import type { Program } from "./program.ts";

function command(
  summary: string,
  load: () => Promise<{ readonly command: Command }>,
  ...aliases: readonly string[]
): CommandLeaf {
  return { kind: "command", summary, aliases, load: async () => (await load()).command };
}

function workflowGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "Run and inspect workflows: scripts that drive agents, audited and resumable",
    children: {
      run: command(
        "Run a workflow: a script, a saved workflow, or the default script on a bare task",
        () => import("./commands/workflow/run.ts"),
      ),
      resume: command(
        "Continue a run where it ended; finished calls are not paid for again",
        () => import("./commands/workflow/resume.ts"),
      ),
      pause: command(
        "Pause a run; resume goes on with it",
        () => import("./commands/workflow/pause.ts"),
      ),
      stop: command(
        "Stop a run and wait until its workers are gone",
        () => import("./commands/workflow/stop.ts"),
      ),
      list: command(
        "List recent runs, the latest first",
        () => import("./commands/workflow/list.ts"),
        "ls",
      ),
      status: command(
        "Say how a run stands: verdict, counts and outcomes",
        () => import("./commands/workflow/status.ts"),
      ),
      show: command(
        "Show the records of a run: the run, its phases and its calls",
        () => import("./commands/workflow/show.ts"),
      ),
      inspect: command(
        "Report a run in full: status, phases, calls, failures and result",
        () => import("./commands/workflow/inspect.ts"),
      ),
      read: command("Read the result of a run", () => import("./commands/workflow/read.ts")),
      events: command(
        "Print the journal of a run, record by record",
        () => import("./commands/workflow/events.ts"),
      ),
      tools: {
        kind: "group",
        summary: "List what workflow scripts can call",
        fallback: "list",
        children: {
          list: command(
            "List what workflow scripts can call",
            () => import("./commands/workflow/tools.ts"),
            "ls",
          ),
        },
      },
      validate: command(
        "Check a workflow script without running it",
        () => import("./commands/workflow/validate.ts"),
      ),
    },
  };
}

/** Every command of the program. Their modules load when they are asked for. */
export function createRegistry(program: Program): CommandGroup {
  const root: CommandGroup = {
    kind: "group",
    summary: "A local-first control plane for AI coding agents",
    children: {
      workflow: workflowGroup(),
      version: {
        kind: "command",
        summary: "Show the version of pallium",
        aliases: ["--version", "-V"],
        load: async () => (await import("./commands/version.ts")).versionCommand(program.version),
      },
      help: {
        kind: "command",
        summary: "Show help; with --json the commands, their flags and their output schemas",
        load: async () => (await import("./commands/help.ts")).helpCommand(program, root),
      },
    },
  };
  return root;
}
