import { counted } from "../../lib/counted.ts";
import { visibleName } from "../../lib/visible-name.ts";
import type { SecretScan, SkippedFile } from "../../secrets/finding.ts";

const REASONS: Readonly<Record<SkippedFile["reason"], string>> = {
  binary: "binary, and not whole in the patch",
  too_large: "too large",
  merge: "a merge of several parents",
};

/** A line for each finding, `file:line: rule`, then what was not searched, then the sum. */
export function secretsText({ findings, skipped }: SecretScan): string {
  return [
    ...findings.map(({ file, line, rule }) => `${visibleName(file)}:${line}: ${rule}`),
    ...skipped.map(({ file, reason }) => `Not searched: ${visibleName(file)} (${REASONS[reason]})`),
    ...(findings.length === 0 ? ["No secrets found."] : []),
  ].join("\n");
}

export function secretsFound({ findings }: SecretScan): string {
  return `${counted(findings.length, "secret")} found`;
}
