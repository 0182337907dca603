/** Secrets in the patches of a run, or in a patch that somebody else made. */
import { resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { readHead } from "../../platform/bounded-read.ts";
import { exists } from "../../platform/files.ts";
import type { Database } from "../../platform/sqlite/database.ts";
import type { SecretScan } from "../../secrets/finding.ts";
import { createSecretScanner } from "../../secrets/scanner.ts";
import { assertNotCollected } from "../run/collected.ts";
import { findRun, readSnapshot } from "../run/store.ts";

/** Bytes of one patch, and as many of binary files in it. */
export const PATCH_LIMIT = 64 * 1024 * 1024;
/** Only what may be the id of a run is looked for among them. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const IS_PATCH = /^(?:diff --(?:git|cc|combined) |@@ -\d)/m;
const FROM_STDIN = "git diff | pallium workflow secrets -";

export interface SecretsRequest {
  /** Id of a run, else path of a patch. */
  readonly subject: string;
  /** The patch itself, where it is neither; `subject` is then what messages call it. */
  readonly patch: string | undefined;
}

/**
 * @param inRun searches the patches of a run; `undefined` where no run has that id.
 * @param cwd absolute folder in which relative paths begin.
 * @throws PalliumError `patch_not_found`, `patch_too_large`, `not_a_patch`, and those of `inRun`.
 */
export async function findSecrets(
  { subject, patch }: SecretsRequest,
  inRun: (id: string) => Promise<SecretScan | undefined>,
  cwd: string,
): Promise<SecretScan> {
  if (patch !== undefined) return scan([{ name: subject, text: patch }]);
  const ofRun = RUN_ID.test(subject) ? await inRun(subject) : undefined;
  return ofRun ?? scan([await readPatchFile(resolve(cwd, subject), subject)]);
}

/**
 * Searches all patches of a run, in the order of its calls; `undefined` where no run has that id.
 * @throws PalliumError `no_patches`, `run_collected`, `patch_not_found`, `patch_too_large`
 */
export async function secretsInRun(
  database: Database,
  id: string,
): Promise<SecretScan | undefined> {
  const run = findRun(database, id);
  if (run === undefined) return undefined;
  assertNotCollected(run, "searched");
  const { agents } = readSnapshot(database, run);
  const paths = agents.flatMap(({ patch_path }) => patch_path ?? []);
  if (paths.length === 0) {
    throw new PalliumError("no_patches", `the run ${id} has no patches`, {
      hints: [`agents of mode edit leave patches; to search another one: ${FROM_STDIN}`],
    });
  }
  return scan(await Promise.all(paths.map((path) => readPatchFile(path, path))));
}

interface NamedPatch {
  readonly name: string;
  readonly text: string;
}

async function readPatchFile(path: string, name: string): Promise<NamedPatch> {
  const head = await readHead(path, PATCH_LIMIT);
  if (head !== undefined) {
    if (head.omittedBytes > 0) throw patchTooLarge(name);
    return { name, text: head.text };
  }
  const isThere = await exists(path);
  throw new PalliumError(
    "patch_not_found",
    isThere ? `not a file that can be read: ${name}` : `no run and no file is called ${name}`,
    { hints: [`name a run or the file of a patch, or hand it over: ${FROM_STDIN}`] },
  );
}

export function patchTooLarge(name: string): PalliumError {
  const megabytes = PATCH_LIMIT / 1024 / 1024;
  return new PalliumError("patch_too_large", `${name} has more than ${megabytes} MB`, {
    hints: ["search it in parts: git diff -- <paths> | pallium workflow secrets -"],
  });
}

async function scan(patches: readonly NamedPatch[]): Promise<SecretScan> {
  const scanner = createSecretScanner();
  const scans: SecretScan[] = [];
  for (const { name, text } of patches) {
    if (text.trim() !== "" && !IS_PATCH.test(text)) {
      throw new PalliumError("not_a_patch", `no patch is in ${name}`, {
        hints: [`a patch is what git diff prints: ${FROM_STDIN}`],
      });
    }
    scans.push(await scanner.scanDiff(text, { limit: PATCH_LIMIT }));
  }
  return {
    findings: scans.flatMap(({ findings }) => findings),
    skipped: scans.flatMap(({ skipped }) => skipped),
  };
}
