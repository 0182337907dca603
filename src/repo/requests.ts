/** What repo memory is asked for. Paths are as the user typed them. */

export interface RepoRequest {
  /** A folder of the repository; where the user stands without. */
  readonly repo?: string;
}

export interface IndexRequest extends RepoRequest {
  /** Whether to read the whole history again. */
  readonly full?: boolean;
}

export interface PathRequest extends RepoRequest {
  readonly path: string;
}

export interface NeighborsRequest extends PathRequest {
  readonly limit: number;
}

export interface DecisionsRequest {
  /** The question, word by word; the last of several may be a folder of the repository. */
  readonly words: readonly string[];
  readonly limit: number;
}

export interface TaskStartRequest extends RepoRequest {
  readonly goal: string;
  /** Files, folders and globs; everything without any. */
  readonly scope: readonly string[];
  /** Such as `30m`. */
  readonly expires?: string;
}

export interface RangeRequest {
  /** A base revision and a folder of the repository, in either order; each may be left out. */
  readonly words: readonly string[];
}

export interface ReviewRequest extends RangeRequest {
  /** Whether only what is staged counts. */
  readonly staged?: boolean;
}

export interface PreflightRequest extends RepoRequest {
  readonly task: string;
  /** Files, folders and globs. */
  readonly scope: readonly string[];
}

export interface VerifyRequest extends RepoRequest {
  /** `fast`, `safe` or `full`. */
  readonly tier: string;
  /** Revision that the change is measured from. */
  readonly base?: string;
  readonly keep_going?: boolean;
  /** Seconds that each command may take. */
  readonly timeout?: number;
  /** A shell command to run in place of the plan. */
  readonly command?: string;
  readonly dry_run?: boolean;
}

export interface MapRequest extends RepoRequest {
  /** Most hotspots to name. */
  readonly limit: number;
  /** Where to write the map as a page, from where the user stands. */
  readonly html?: string;
  /** Whether the page may take the place of another file. */
  readonly force?: boolean;
}

export interface ScoreRequest extends RepoRequest {
  /** How many of the latest commits are asked about. */
  readonly commits: number;
  /** Seconds after which no more are asked about. */
  readonly time_limit: number;
}
