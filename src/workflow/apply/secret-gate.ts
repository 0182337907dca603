/** Keeps secrets out of the user's checkouts. */
import { PalliumError } from "../../lib/errors.ts";
import { visibleName } from "../../lib/visible-name.ts";
import type { SecretFinding, SecretScan } from "../../secrets/finding.ts";
import { readPatch } from "../edits/trees/patch.ts";
import type { TreeStore } from "../edits/trees/tree-store.ts";

const OVERRIDE = "PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH";
const MOST_NAMED = 10;

export interface SecretGate {
  readonly scanPatch: (patch: string) => Promise<SecretScan>;
  readonly variables: Readonly<Record<string, string>>;
  readonly warn: (line: string) => void;
}

/**
 * Looks through what a change adds.
 * @throws PalliumError `secret_in_patch`, naming file and line but not the secret, unless the user
 *   allows it, which is told.
 */
export async function assertNoSecrets(
  { scanPatch, variables, warn }: SecretGate,
  store: TreeStore,
  from: string,
  to: string,
): Promise<void> {
  const bytes = Buffer.concat(await Array.fromAsync(readPatch(store, from, to)));
  const { findings, skipped } = await scanPatch(bytes.toString("utf8"));
  for (const { file, reason } of skipped) {
    if (reason === "too_large")
      warn(`${visibleName(file)} is too large to be searched for secrets`);
  }
  if (findings.length === 0) return;
  if (variables[OVERRIDE] !== "1") throw blocked(findings);
  warn(`${OVERRIDE} is 1: applying in spite of ${named(findings)}`);
}

function blocked(findings: readonly SecretFinding[]): PalliumError {
  return new PalliumError("secret_in_patch", `workflow patch policy blocked ${named(findings)}`, {
    hints: [
      "have the secret taken out, and resume; nothing was applied",
      `or, where it is none, apply with ${OVERRIDE}=1`,
    ],
  });
}

function named(findings: readonly SecretFinding[]): string {
  const shown = findings
    .slice(0, MOST_NAMED)
    .map(({ file, line, rule }) => `${visibleName(file)}: ${rule} at line ${line}`);
  const rest = findings.length - shown.length;
  return shown.join("; ") + (rest === 0 ? "" : `; and ${rest} more`);
}
