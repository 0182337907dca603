/** `workflow audit`: every requirement of workflows is tried on the spot, by the program itself. */
import { counted } from "../../lib/counted.ts";
import { messageOf } from "../../lib/errors.ts";
import { createSemaphore } from "../../lib/semaphore.ts";
import { cores } from "../../platform/cores.ts";
import { interruptible } from "../../repo/interruptible.ts";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import {
  type AcceptanceResult,
  readAcceptanceScript,
  runAcceptance,
  SCRIPT_NAME,
} from "./acceptance.ts";
import { createBench } from "./bench.ts";
import type { AuditStatus, Finding } from "./finding.ts";
import { isAbsent } from "./holds.ts";
import {
  ACCEPTANCE,
  AUDIT,
  AUDIT_VERSIONS,
  type AuditVersion,
  type Probe,
  REQUIREMENTS,
  type Requirement,
} from "./requirements.ts";

export interface AuditRequest {
  /** Also have the acceptance script put the program to the test. */
  readonly run_acceptance?: boolean;
}

export interface AuditedRequirement extends Requirement, Finding {}

export interface AuditReport {
  readonly versions: readonly AuditVersion[];
  /** Nothing failed, and nothing is missing in this version. */
  readonly complete: boolean;
  readonly requirements: readonly AuditedRequirement[];
  readonly by_version: Readonly<Record<string, readonly AuditedRequirement[]>>;
  readonly counts: Readonly<Record<AuditStatus, number>>;
  readonly acceptance_script: string;
  readonly acceptance_passed?: boolean;
  /** What the script printed where it did not pass. */
  readonly acceptance_error?: string;
}

/** Stands for a program that does nothing: no probe may take it for pallium. */
const DOES_NOTHING = ["sh", "-c", ":"];

/**
 * Probes work in temporary homes, which are gone at the end; neither the user's store nor the
 * directory they stand in is touched.
 * @throws PalliumError `interrupted`, `acceptance_script_not_found`
 */
export function audit(
  powers: WorkflowPowers,
  observer: RunObserver,
  { run_acceptance = false }: AuditRequest,
): Promise<AuditReport> {
  const hint = "start it again: it leaves nothing behind";
  return interruptible(powers, observer, hint, async (powers, signal) => {
    const script = run_acceptance ? await readAcceptanceScript(powers) : undefined;
    const found = await tryAll(powers, observer, signal);
    const acceptance = script && (await runAcceptance(powers, observer, signal, script));
    found.set(ACCEPTANCE, acceptance === undefined ? NOT_RUN : acceptance.finding);
    return report(found, acceptance);
  });
}

const NOT_RUN: Finding = {
  status: "needs_acceptance",
  evidence: "the script was not run; pass --run-acceptance",
  duration_ms: 0,
};

async function tryAll(
  powers: WorkflowPowers,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Map<string, Finding>> {
  const room = createSemaphore(cores());
  const tryWith = async (program: readonly string[], probe: Probe) => {
    const release = await room.acquire();
    try {
      return await tryOnce(powers, program, probe, signal);
    } finally {
      release();
    }
  };
  const probes = REQUIREMENTS.flatMap(({ id, name, probe }) =>
    probe === undefined ? [] : [{ id, name, probe }],
  );
  const findings = probes.map(async ({ id, name, probe }): Promise<[string, Finding]> => {
    const finding = await tryWith(powers.environment.self, probe);
    observer.detail(`${name}: ${finding.status.replaceAll("_", " ")}`);
    return [id, finding];
  });
  const controls = probes.map(async ({ id, probe }) => ({
    id,
    ...(await tryWith(DOES_NOTHING, probe)),
  }));
  const found = new Map(await Promise.all(findings));
  const control = controlFinding(await Promise.all(controls));
  signal.throwIfAborted();
  return found.set(AUDIT, control);
}

/** How a probe ended; an interrupted one has cleaned up, and failed. */
async function tryOnce(
  { environment, clock }: WorkflowPowers,
  program: readonly string[],
  probe: Probe,
  signal: AbortSignal,
): Promise<Finding> {
  const begin = clock.monotonicMs();
  const finding = (status: AuditStatus, evidence: string): Finding => ({
    status,
    evidence,
    duration_ms: Math.round(clock.monotonicMs() - begin),
  });
  try {
    await using bench = await createBench(program, environment.variables.PATH ?? "", signal);
    return finding("passed", await probe(bench));
  } catch (error) {
    return finding(isAbsent(error) ? "not_in_this_version" : "failed", messageOf(error));
  }
}

/** A probe that passes where nothing was done says nothing where it passes otherwise. */
function controlFinding(controls: readonly (Finding & { readonly id: string })[]): Finding {
  const fooled = controls.filter(({ status }) => status !== "failed").map(({ id }) => id);
  return {
    status: fooled.length === 0 ? "passed" : "failed",
    evidence:
      fooled.length === 0
        ? `given a program that does nothing, all ${counted(controls.length, "probe")} fail`
        : `given a program that does nothing, these probes do not fail: ${fooled.join(", ")}`,
    duration_ms: controls.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
  };
}

function report(
  found: ReadonlyMap<string, Finding>,
  acceptance: AcceptanceResult | undefined,
): AuditReport {
  const requirements = REQUIREMENTS.map((requirement): AuditedRequirement => {
    const { id, version, name, description } = requirement;
    const finding = found.get(id);
    if (finding === undefined) throw new Error(`nobody looked at ${id}`);
    return { id, version, name, description, ...finding };
  });
  const count = (status: AuditStatus) =>
    requirements.filter((requirement) => requirement.status === status).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    not_in_this_version: count("not_in_this_version"),
    needs_acceptance: count("needs_acceptance"),
  };
  return {
    versions: AUDIT_VERSIONS,
    complete: counts.failed === 0 && counts.not_in_this_version === 0,
    requirements,
    by_version: Object.groupBy(requirements, ({ version }) => version),
    counts,
    acceptance_script: SCRIPT_NAME,
    ...acceptance?.fields,
  };
}
