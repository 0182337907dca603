/** Verification plans: which commands say whether a change is sound. Paths are relative to the repository, with `/`. */
/** `fast`: the tests next to the change. `safe`: the tests of what holds it. `full`: all that can be checked. */
export const TIERS = ["fast", "safe", "full"] as const;
export type Tier = (typeof TIERS)[number];

/** One command, as an argument list: no shell ever reads the names in it. */
export interface PlannedCommand {
  /** The program, looked up in `PATH`, or in `cwd` where it has a slash, and its arguments. */
  readonly argv: readonly string[];
  /** Folder to run it in; empty for the root of the repository. */
  readonly cwd: string;
  /** Why it is in the plan, as part of a sentence. */
  readonly reason: string;
  /** What it belongs to, such as `go` or `make`. */
  readonly ecosystem: string;
}

/** The commands of each tier in the order to run them: the narrow ones first, so that a failure shows early. */
export type Plan = Readonly<Record<Tier, readonly PlannedCommand[]>>;

export const NOTHING: Plan = { fast: [], safe: [], full: [] };

export interface PlanInput {
  /** Files that changed or were asked about, the most important first. Empty: the whole repository. */
  readonly targets: readonly string[];
  /** Test files chosen for them, the most telling first. */
  readonly tests: readonly string[];
  /** Every file of the repository now. */
  readonly paths: ReadonlySet<string>;
  /** Text of a file for which `isVerificationManifest` is true; `undefined` where there is none. */
  readonly manifest: (path: string) => string | undefined;
  /** Tiers that the user's or the repository's settings name; each takes the place of what is inferred. */
  readonly settings?: Partial<Plan>;
}
