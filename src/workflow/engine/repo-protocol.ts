/**
 * What the runner and the repo worker say to each other. The worker answers what scripts ask of
 * repository memory, so that an index that is cold never keeps the runner from its own work. Every
 * message is one JSON text.
 */
import type { ErrorData } from "../../lib/errors.ts";
import type { Environment } from "../../platform/environment.ts";
import type {
  PathRequest,
  PreflightRequest,
  RangeRequest,
  RepoRequest,
  ReviewRequest,
  TaskStartRequest,
  VerifyRequest,
} from "../../repo/requests.ts";

/** A service of repository memory, and what it is asked. */
export type RepoQuestion =
  | { readonly service: "verify"; readonly input: VerifyRequest }
  | { readonly service: "review"; readonly input: ReviewRequest }
  | { readonly service: "handoff"; readonly input: RangeRequest }
  | { readonly service: "explain" | "safe" | "plan"; readonly input: PathRequest }
  | { readonly service: "changedNow" | "taskShow" | "taskClear"; readonly input: RepoRequest }
  | { readonly service: "preflight"; readonly input: PreflightRequest }
  | { readonly service: "taskStart"; readonly input: TaskStartRequest };

export interface RepoSurroundings {
  /** Of the run: its directory, and the variables that its commands are started with. */
  readonly environment: Environment;
  /** Absolute folder of pallium's own data. */
  readonly home: string;
}

export type RepoCommand =
  /** The first one. */
  | { readonly type: "start"; readonly surroundings: RepoSurroundings }
  | {
      readonly type: "ask";
      readonly id: number;
      readonly question: RepoQuestion;
      /** Of the processes that are started for it. */
      readonly marker: string;
    }
  | { readonly type: "cancel"; readonly id: number };

/** How loud a line is: left out at will, for who watches closely, not to be missed. */
export type LineKind = "notice" | "detail" | "warn";

export type RepoReply =
  | { readonly type: "ready" }
  | { readonly type: "line"; readonly id: number; readonly kind: LineKind; readonly text: string }
  /** `report` is JSON text. */
  | { readonly type: "answered"; readonly id: number; readonly report: string }
  | { readonly type: "refused"; readonly id: number; readonly error: ErrorData };
