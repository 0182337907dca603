/** What a search is measured on: sessions, and questions of which the answer's sessions are known. */

export interface ToldSession {
  readonly id: string;
  readonly messages: readonly ToldMessage[];
}

export interface ToldMessage {
  readonly role: string;
  readonly text: string;
  readonly at: Date;
}

export interface Question {
  readonly text: string;
  /** Ids of sessions; any of them is an answer. */
  readonly answers: ReadonlySet<string>;
  readonly group: string;
}

export interface Collection {
  readonly sessions: readonly ToldSession[];
  readonly questions: readonly Question[];
}
