/** What the reports need to know, gathered once for each command. */
import type { Git } from "../../platform/git/runner.ts";
import type { SecretScan } from "../../secrets/finding.ts";
import type { ScopedTask } from "../analysis/scope.ts";
import type { RepoView } from "../analysis/view.ts";
import type { Decision } from "../decisions/search.ts";
import type { Repository } from "../identity.ts";
import type { RelatedSession } from "../powers.ts";
import type { TreeState, VerificationRun } from "../verification/records.ts";
import type { Plan } from "../verification/types.ts";
import type { WorkingChange } from "../working-tree.ts";
import { createFacts, type FactsOf } from "./facts.ts";
import type { Freshness } from "./shapes.ts";

export interface ReportParts {
  readonly git: Git;
  readonly repository: Repository;
  readonly view: RepoView;
  /** Its commit is the one that the whole report is about. */
  readonly freshness: Freshness;
  readonly changes: readonly WorkingChange[];
  /** The task in force. */
  readonly task: ScopedTask | undefined;
  readonly verification: {
    /** What the files are now. */
    readonly state: TreeState;
    /** The newest runs on any state of the files, newest first. */
    readonly latest: readonly VerificationRun[];
    /** Of each command the newest run on the files as they are now, newest first. */
    readonly standing: readonly VerificationRun[];
  };
  /** Plans the verification of some files, see `planVerification`. */
  plan(targets: readonly string[], tests: readonly string[]): Plan;
  /** Sessions with something to do with some files of this repository, the best first. */
  relatedSessions(files: readonly string[], limit: number): Promise<readonly RelatedSession[]>;
  /** Decisions and reasons that concern a file, the newest first. */
  decisionsFor(path: string, limit: number): Promise<readonly Decision[]>;
  /** Looks for secrets in the lines that a patch adds. */
  scanPatch(patch: string): Promise<SecretScan>;
  /** Looks for secrets in a file of the working tree; `undefined` for what is too large or no file. */
  scanFile(path: string): Promise<SecretScan | undefined>;
}

export interface ReportContext extends ReportParts {
  /** Tells the facts of a file, looking at each once. */
  readonly factsOf: FactsOf;
}

/** Adds what the analyses say of each file; nothing while the repository has not been indexed. */
export function createReportContext(parts: ReportParts): ReportContext {
  const isIndexed = parts.freshness.index_status === "indexed";
  return { ...parts, factsOf: createFacts(isIndexed ? parts.view : undefined) };
}
