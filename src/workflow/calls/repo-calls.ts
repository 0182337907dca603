/** Who answers what scripts ask of repository memory: the services themselves, or a stub. */
import type { LineKind, RepoQuestion } from "../engine/repo-protocol.ts";

/** One call of `pallium.*`. */
export interface RepoCall {
  readonly question: RepoQuestion;
  /** The command that asks the same, without the word `pallium`. */
  readonly argv: readonly string[];
}

export interface RepoControl {
  /** Of the processes that are started for it. */
  readonly marker: string;
  /** Its abort takes the question back. */
  readonly signal: AbortSignal;
  readonly tell: (kind: LineKind, text: string) => void;
}

export interface RepoCalls {
  /**
   * @returns the report as JSON text.
   * @throws PalliumError as the service does; `interrupted` or the signal's reason when taken back.
   */
  ask(call: RepoCall, control: RepoControl): Promise<string>;
  /** How much of the process's memory its work may take, once it has been asked. */
  readonly memoryBytes: () => number;
  close(): void;
}

/** Answers with one text, in which `{{ARGS}}` stands for the command. For tests and dry runs. */
export function stubbedRepoCalls(text: string): RepoCalls {
  return {
    ask: async ({ argv }) => text.replaceAll("{{ARGS}}", () => argv.join(" ")),
    memoryBytes: () => 0,
    close: () => {},
  };
}
