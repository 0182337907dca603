/** Looks for secrets in what leaves this machine with an exported run. */
import { counted } from "../../lib/counted.ts";
import { PalliumError } from "../../lib/errors.ts";
import { visibleName } from "../../lib/visible-name.ts";
import { inflate } from "../../platform/inflate.ts";
import type { SecretFinding } from "../../secrets/finding.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";

/** The one variable that lets edits with secrets be applied lets runs with secrets be exported. */
export const ALLOW_SECRETS = "PALLIUM_WORKFLOW_ALLOW_SECRET_PATCH";
/** Bytes of one content that are looked at. */
export const SEARCH_LIMIT = 16 * 1024 * 1024;
const MOST_NAMED = 10;

export interface SecretSearch {
  /** @param bytes of a text, at most `SEARCH_LIMIT`. */
  look(name: string, bytes: Uint8Array): Promise<void>;
  /** The same of an object of git, which is packed. */
  lookInto(name: string, packed: Uint8Array): Promise<void>;
  /** Something that is larger than can be searched. */
  tooLarge(name: string): void;
  /** @throws PalliumError `secret_in_run`, naming places but no secrets. */
  assertNone(runId: string, isAllowed: boolean): void;
}

/** @param warn is told what was not searched, and what is exported all the same. */
export function createSecretSearch(warn: (line: string) => void): SecretSearch {
  const scanner = createSecretScanner();
  const findings: SecretFinding[] = [];
  const large: string[] = [];
  const look = async (name: string, bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes);
    findings.push(...(await scanner.scanText(text, name)).findings);
  };
  return {
    look,
    lookInto: async (name, packed) => {
      const bytes = inflate(packed, SEARCH_LIMIT);
      if (bytes === undefined) large.push(name);
      else await look(name, bytes.subarray(bytes.indexOf(0) + 1));
    },
    tooLarge: (name) => {
      large.push(name);
    },
    assertNone: (runId, isAllowed) => {
      if (large.length > 0) {
        const first = visibleName(large[0] ?? "");
        warn(
          `${counted(large.length, "file")} could not be searched for secrets, such as ${first}`,
        );
      }
      if (findings.length === 0) return;
      if (!isAllowed) throw secretInRun(runId, findings);
      warn(`${ALLOW_SECRETS} is 1: exporting in spite of ${named(findings)}`);
    },
  };
}

function secretInRun(runId: string, findings: readonly SecretFinding[]): PalliumError {
  const what = `run ${runId} holds what looks like secrets: ${named(findings)}`;
  return new PalliumError("secret_in_run", what, {
    hints: [
      "nothing was written; a run that was exported is out of your hands",
      `where they are none, or may be seen: ${ALLOW_SECRETS}=1 pallium workflow export ${runId}`,
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
