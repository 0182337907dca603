import { type OperationName, operations } from "../operations/table.ts";
import type { Command, CommandGroup, CommandLeaf } from "./command.ts";
import type { Program } from "./program.ts";

type Load = () => Promise<{ readonly command: Command }>;

/** A command that calls one operation, and says of itself what that says. */
function command(name: OperationName, load: Load, ...aliases: readonly string[]): CommandLeaf {
  const { summary } = operations[name];
  return { kind: "command", summary, aliases, load: async () => (await load()).command };
}

/** A command that takes words in plain language. */
function inWords(leaf: CommandLeaf): CommandLeaf {
  return { ...leaf, freeText: true };
}

function workflowGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "Run and inspect workflows: scripts that drive agents, audited and resumable",
    children: {
      run: command("workflow.run", () => import("./commands/workflow/run.ts")),
      resume: command("workflow.resume", () => import("./commands/workflow/resume.ts")),
      pause: command("workflow.pause", () => import("./commands/workflow/pause.ts")),
      stop: command("workflow.stop", () => import("./commands/workflow/stop.ts")),
      list: command("workflow.list", () => import("./commands/workflow/list.ts"), "ls"),
      status: command("workflow.status", () => import("./commands/workflow/status.ts")),
      show: command("workflow.show", () => import("./commands/workflow/show.ts")),
      inspect: command("workflow.inspect", () => import("./commands/workflow/inspect.ts")),
      read: command("workflow.read", () => import("./commands/workflow/read.ts")),
      report: command("workflow.report", () => import("./commands/workflow/report.ts")),
      fleet: {
        kind: "group",
        summary: operations["workflow.fleet"].summary,
        fallback: "status",
        children: {
          status: command("workflow.fleet", () => import("./commands/workflow/fleet.ts")),
        },
      },
      analytics: command("workflow.analytics", () => import("./commands/workflow/analytics.ts")),
      events: command("workflow.events", () => import("./commands/workflow/events.ts")),
      watch: command("workflow.watch", () => import("./commands/workflow/watch.ts")),
      logs: command("workflow.logs", () => import("./commands/workflow/logs.ts")),
      gate: gateGroup(),
      trigger: triggerGroup(),
      tools: {
        kind: "group",
        summary: operations["workflow.tools"].summary,
        fallback: "list",
        children: {
          list: command("workflow.tools", () => import("./commands/workflow/tools.ts"), "ls"),
        },
      },
      "dry-run": command("workflow.dry-run", () => import("./commands/workflow/dry-run.ts")),
      "check-determinism": command(
        "workflow.check-determinism",
        () => import("./commands/workflow/check-determinism.ts"),
      ),
      types: command("workflow.types", () => import("./commands/workflow/types.ts")),
      template: templateGroup(),
      library: libraryGroup(),
      generate: command("workflow.generate", () => import("./commands/workflow/generate.ts")),
      save: command("workflow.save", () => import("./commands/workflow/save.ts")),
      preflight: command("workflow.preflight", () => import("./commands/workflow/preflight.ts")),
      apply: command("workflow.apply", () => import("./commands/workflow/apply.ts")),
      revert: command("workflow.revert", () => import("./commands/workflow/revert.ts")),
      gc: command("workflow.gc", () => import("./commands/workflow/gc.ts")),
      delete: command("workflow.delete", () => import("./commands/workflow/delete.ts")),
      export: command("workflow.export", () => import("./commands/workflow/export.ts")),
      import: command("workflow.import", () => import("./commands/workflow/import.ts")),
      diff: command("workflow.diff", () => import("./commands/workflow/diff.ts")),
      secrets: command("workflow.secrets", () => import("./commands/workflow/secrets.ts")),
      validate: command("workflow.validate", () => import("./commands/workflow/validate.ts")),
      audit: command("workflow.audit", () => import("./commands/workflow/audit.ts")),
    },
  };
}

function templateGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "See the templates that scripts are generated from",
    aliases: ["templates"],
    fallback: "list",
    byName: "show",
    children: {
      list: command(
        "workflow.template.list",
        () => import("./commands/workflow/template/list.ts"),
        "ls",
      ),
      show: command("workflow.template.show", () => import("./commands/workflow/template/show.ts")),
    },
  };
}

function libraryGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "See and install the workflows that come with pallium",
    aliases: ["libraries", "pack", "packs"],
    fallback: "list",
    byName: "show",
    children: {
      list: command(
        "workflow.library.list",
        () => import("./commands/workflow/library/list.ts"),
        "ls",
      ),
      show: command("workflow.library.show", () => import("./commands/workflow/library/show.ts")),
      install: command(
        "workflow.library.install",
        () => import("./commands/workflow/library/install.ts"),
      ),
    },
  };
}

function gateGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "See and decide the gates of a run",
    aliases: ["gates"],
    children: {
      list: command("workflow.gate.list", () => import("./commands/workflow/gate/list.ts"), "ls"),
      approve: command(
        "workflow.gate.approve",
        () => import("./commands/workflow/gate/approve.ts"),
      ),
      reject: command("workflow.gate.reject", () => import("./commands/workflow/gate/reject.ts")),
      reopen: command("workflow.gate.reopen", () => import("./commands/workflow/gate/reopen.ts")),
    },
  };
}

function triggerGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "Start workflows on a change, a commit, an interval or at a time",
    aliases: ["triggers"],
    children: {
      add: command(
        "workflow.trigger.add",
        () => import("./commands/workflow/trigger/add.ts"),
        "set",
      ),
      list: command(
        "workflow.trigger.list",
        () => import("./commands/workflow/trigger/list.ts"),
        "ls",
      ),
      show: command("workflow.trigger.show", () => import("./commands/workflow/trigger/show.ts")),
      enable: command(
        "workflow.trigger.enable",
        () => import("./commands/workflow/trigger/enable.ts"),
      ),
      disable: command(
        "workflow.trigger.disable",
        () => import("./commands/workflow/trigger/disable.ts"),
      ),
      delete: command(
        "workflow.trigger.delete",
        () => import("./commands/workflow/trigger/delete.ts"),
      ),
      run: command("workflow.trigger.run", () => import("./commands/workflow/trigger/run.ts")),
      watch: command(
        "workflow.trigger.watch",
        () => import("./commands/workflow/trigger/watch.ts"),
      ),
      install: command(
        "workflow.trigger.install",
        () => import("./commands/workflow/trigger/install.ts"),
      ),
    },
  };
}

function sessionsGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "Recall what agents said and did before, in Codex and in Claude Code",
    children: {
      index: command("sessions.index", () => import("./commands/sessions/index-sessions.ts")),
      list: command("sessions.list", () => import("./commands/sessions/list.ts"), "ls"),
      search: inWords(command("sessions.search", () => import("./commands/sessions/search.ts"))),
      semantic: inWords(
        command("sessions.semantic", () => import("./commands/sessions/semantic.ts")),
      ),
      embed: command("sessions.embed", () => import("./commands/sessions/embed.ts")),
      grep: inWords(command("sessions.grep", () => import("./commands/sessions/grep.ts"))),
      related: command("sessions.related", () => import("./commands/sessions/related.ts")),
      why: command("sessions.why", () => import("./commands/sessions/why.ts")),
      show: command("sessions.show", () => import("./commands/sessions/show.ts")),
      stats: command("sessions.stats", () => import("./commands/sessions/stats.ts")),
      live: command("sessions.live", () => import("./commands/sessions/live.ts")),
      watch: command("sessions.watch", () => import("./commands/sessions/watch.ts")),
      doctor: command("sessions.doctor", () => import("./commands/sessions/doctor.ts")),
      export: command("sessions.export", () => import("./commands/sessions/export.ts")),
      prune: command("sessions.prune", () => import("./commands/sessions/prune.ts")),
      forget: command("sessions.forget", () => import("./commands/sessions/forget.ts")),
    },
  };
}

function trustGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "Trust the settings of a repository, which may name programs and commands",
    fallback: "add",
    byName: "add",
    children: {
      add: command("trust", () => import("./commands/trust/add.ts")),
      list: command("trust.list", () => import("./commands/trust/list.ts"), "ls"),
      revoke: command("trust.revoke", () => import("./commands/trust/revoke.ts")),
    },
  };
}

function taskGroup(): CommandGroup {
  return {
    kind: "group",
    summary: "Say what is worked on, and where, so that changes elsewhere show",
    children: {
      start: command("task.start", () => import("./commands/repo/task/start.ts")),
      show: command("task.show", () => import("./commands/repo/task/show.ts")),
      clear: command("task.clear", () => import("./commands/repo/task/clear.ts")),
    },
  };
}

/** Every command of the program. Their modules load when they are asked for. */
export function createRegistry(program: Program): CommandGroup {
  const root: CommandGroup = {
    kind: "group",
    summary: "A local-first control plane for AI coding agents",
    children: {
      index: command("index", () => import("./commands/repo/index-repository.ts")),
      doctor: command("doctor", () => import("./commands/repo/doctor.ts")),
      explain: command("explain", () => import("./commands/repo/explain.ts")),
      safe: command("safe", () => import("./commands/repo/safe.ts")),
      plan: command("plan", () => import("./commands/repo/plan.ts")),
      risk: command("risk", () => import("./commands/repo/risk.ts")),
      neighbors: command("neighbors", () => import("./commands/repo/neighbors.ts")),
      decisions: command("decisions", () => import("./commands/repo/decisions.ts")),
      "changed-now": command("changed-now", () => import("./commands/repo/changed-now.ts")),
      review: command("review", () => import("./commands/repo/review.ts")),
      handoff: command("handoff", () => import("./commands/repo/handoff.ts")),
      verify: command("verify", () => import("./commands/repo/verify.ts")),
      score: command("score", () => import("./commands/repo/score.ts")),
      map: command("map", () => import("./commands/repo/map.ts")),
      task: taskGroup(),
      workflow: workflowGroup(),
      settings: command("settings", () => import("./commands/settings.ts"), "config"),
      sessions: sessionsGroup(),
      trust: trustGroup(),
      version: {
        kind: "command",
        summary: "Show the version of pallium",
        aliases: ["--version", "-V"],
        load: async () => (await import("./commands/version.ts")).versionCommand(program.version),
      },
      completions: {
        kind: "command",
        summary: "Print the script that has a shell complete commands, flags and names",
        load: async () => (await import("./commands/completions.ts")).completionsCommand(root),
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
