/** What a version of workflows has to have, and how each of it is tried. */
import type { Bench } from "./bench.ts";
import { absentUntil } from "./probes/absent.ts";
import {
  discovery,
  generation,
  repoPreflight,
  scriptValidation,
  sessionLink,
  structuredReports,
  workflowLibrary,
} from "./probes/authoring.ts";
import {
  analytics,
  fleetGuard,
  fleetStatus,
  mcpSurface,
  onChangedTriggers,
  triggers,
  triggerWatch,
} from "./probes/automation.ts";
import { multiRepo, patchRevert, safeEdits } from "./probes/edits.ts";
import {
  agentGates,
  budgetControls,
  composition,
  configuredProviders,
  coordinatorReplan,
  coreRunner,
  decisionMemory,
  objectiveLoops,
  parallelWorkers,
} from "./probes/running.ts";

export const AUDIT_VERSIONS = ["v1", "v2", "v3", "v4", "v5", "v6", "v7"] as const;
export type AuditVersion = (typeof AUDIT_VERSIONS)[number];

export interface Requirement {
  readonly id: string;
  readonly version: AuditVersion;
  readonly name: string;
  readonly description: string;
}

/**
 * Tries the program in a bench of its own.
 * @returns what it did and saw, as a sentence without a full stop.
 * @throws PalliumError `not_in_this_version`, or any other where the requirement is not met.
 */
export type Probe = (bench: Bench) => Promise<string>;

/** These two the audit answers itself: by the acceptance script, and by what its probes find. */
export const ACCEPTANCE = "v7-acceptance";
export const AUDIT = "v7-audit";

export interface TriedRequirement extends Requirement {
  /** Absent where the audit answers it itself. */
  readonly probe?: Probe;
}

function requirement(
  id: `${AuditVersion}-${string}`,
  name: string,
  description: string,
  probe?: Probe,
): TriedRequirement {
  const version = AUDIT_VERSIONS.find((version) => id.startsWith(`${version}-`)) ?? "v7";
  return { id, version, name, description, ...(probe && { probe }) };
}

/** In the order of their versions. */
export const REQUIREMENTS: readonly TriedRequirement[] = [
  requirement(
    "v1-runner",
    "Core runner",
    "scripts run agents in phases, are on record, and resume without paying twice",
    coreRunner,
  ),
  requirement(
    "v1-parallel",
    "Parallel workers",
    "agents of a group are at work at the same time",
    parallelWorkers,
  ),
  requirement(
    "v1-edits",
    "Safe edits",
    "agents edit in working trees of their own, and no secret gets into the checkout",
    safeEdits,
  ),
  requirement(
    "v1-discovery",
    "Discovery",
    "agents are told what scripts can call, and which templates there are",
    discovery,
  ),
  requirement(
    "v2-validate",
    "Script validation",
    "scripts are checked without being run",
    scriptValidation,
  ),
  requirement(
    "v2-report",
    "Structured reports",
    "findings, risks and next steps are drawn from what agents answered",
    structuredReports,
  ),
  requirement(
    "v2-generate",
    "Workflow generation",
    "a script is written for a task, and runs",
    generation,
  ),
  requirement(
    "v2-compose",
    "Composition",
    "scripts run saved workflows as part of themselves",
    composition,
  ),
  requirement(
    "v2-budget",
    "Budget controls",
    "no agent is started that would exceed the budget",
    budgetControls,
  ),
  requirement(
    "v2-sessions",
    "Session cross-link",
    "reports name the agent sessions that a run is related to",
    sessionLink,
  ),
  requirement(
    "v3-preflight",
    "Repo preflight",
    "agents are told what to know of a repository before a task",
    repoPreflight,
  ),
  requirement(
    "v3-until-green",
    "Objective loops",
    "a check is repeated and what fails is fixed until it passes",
    objectiveLoops,
  ),
  requirement(
    "v3-decisions",
    "Decision memory",
    "decisions are put on record, and found by later runs",
    decisionMemory,
  ),
  requirement(
    "v3-multirepo",
    "Multi-repo agents",
    "agents work in repositories other than the run's own",
    multiRepo,
  ),
  requirement("v3-revert", "Patch revert", "what a run edited is taken back", patchRevert),
  requirement("v4-triggers", "Triggers", "workflows are started by name", triggers),
  requirement(
    "v4-on-changed",
    "On-changed triggers",
    "a trigger runs when its repository changed, and only then",
    onChangedTriggers,
  ),
  requirement(
    "v4-watch",
    "Trigger watch",
    "a watch starts those triggers that found a change",
    triggerWatch,
  ),
  requirement("v4-gates", "Agent gates", "an agent decides whether a run may go on", agentGates),
  requirement(
    "v4-library",
    "Workflow library",
    "workflows that come with the program are installed in a repository",
    workflowLibrary,
  ),
  requirement("v5-providers", "Providers", "any command can be the agent", configuredProviders),
  requirement("v5-fleet", "Fleet status", "all runs are counted by how they stand", fleetStatus),
  requirement(
    "v5-fleet-limit",
    "Fleet guard",
    "no run begins where a limit of active runs is reached",
    fleetGuard,
  ),
  requirement(
    "v5-coordinator",
    "Coordinator replan",
    "an agent is asked what to do next, and told what was done",
    coordinatorReplan,
  ),
  requirement(
    "v6-api",
    "HTTP API",
    "runs are started and read over HTTP",
    absentUntil("workflow serve", "the HTTP API comes with a later version"),
  ),
  requirement("v6-mcp", "MCP surface", "agents call workflows as tools", mcpSurface),
  requirement(
    "v6-sdk",
    "Client library",
    "programs call the HTTP API by a library",
    absentUntil("workflow serve", "the client library comes with the HTTP API, in a later version"),
  ),
  requirement(
    "v6-analytics",
    "Analytics",
    "runs, agents, providers and costs are summed up",
    analytics,
  ),
  requirement(
    ACCEPTANCE,
    "Acceptance gate",
    "a script puts the installed program through everything above",
  ),
  requirement(
    AUDIT,
    "Audit command",
    "requirements are tried, and fail where the program does nothing",
  ),
];
