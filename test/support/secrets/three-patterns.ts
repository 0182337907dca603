/** What the Go program looked for before it applied a patch: three patterns, in added lines alone. */

import type { SecretFinding } from "../../../src/secrets/finding.ts";
import { readPatch } from "../../../src/secrets/patch.ts";

const PATTERNS = {
  "openai-key": /\bsk-[A-Za-z0-9_-]{20,}\b/,
  "aws-access-key": /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  "generic-secret": /(?:api[_-]?key|secret|token|password)\s*[:=]\s*["']?[A-Za-z0-9_./+=-]{16,}/i,
};

export function threePatterns(patch: string): readonly SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const { file, text, lines } of readPatch(patch, 0)) {
    const texts = text.split("\n");
    for (const [row, line] of lines.entries()) {
      if (line === undefined || !line.isAdded) continue;
      for (const [rule, pattern] of Object.entries(PATTERNS)) {
        const at = texts[row]?.search(pattern) ?? -1;
        if (at !== -1) findings.push({ rule, file, line: line.number, column: at + 1 });
      }
    }
  }
  return findings;
}
