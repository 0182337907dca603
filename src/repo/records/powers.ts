import type { Clock } from "../../platform/clock.ts";

/** What the records of a repository need from outside. */
export interface RecordsPowers {
  readonly clock: Clock;
  /** Is told, in one line, what the user should know. */
  readonly notice: (line: string) => void;
}
