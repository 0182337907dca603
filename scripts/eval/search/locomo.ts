/**
 * LoCoMo: dialogs of two people over many sessions, and questions with the turns that answer them
 * (Maharana and others, "Evaluating Very Long-Term Conversational Memory of LLM Agents", 2024).
 */
import { readFileSync } from "node:fs";
import type { Collection, Question, ToldMessage, ToldSession } from "./collection.ts";

interface Turn {
  readonly speaker: string;
  readonly text: string;
  /** What a picture shows that was sent along. */
  readonly blip_caption?: string;
}

interface Dialog {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>> & {
    readonly speaker_a: string;
  };
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
}

const KINDS: Readonly<Record<number, string>> = {
  1: "several sessions",
  2: "when",
  3: "open-domain",
  4: "one session",
  5: "adversarial",
};
const SESSION = /^session_(\d+)$/;
const EVIDENCE = /D(\d+):\d+/g;
const SECONDS_APART = 20;

/** One collection per dialog, in the order of the file. */
export function readLocomo(path: string): readonly Collection[] {
  const dialogs = JSON.parse(readFileSync(path, "utf8")) as readonly Dialog[];
  return dialogs.map((dialog) => {
    const sessions = sessionsOf(dialog);
    const there = new Set(sessions.map(({ id }) => id));
    return { sessions, questions: questionsOf(dialog, there) };
  });
}

function sessionsOf({ sample_id: name, conversation }: Dialog): readonly ToldSession[] {
  return Object.entries(conversation).flatMap(([key, turns]) => {
    const number = SESSION.exec(key)?.[1];
    if (number === undefined) return [];
    const began = startOf(String(conversation[`${key}_date_time`]));
    const messages = (turns as readonly Turn[]).map(
      ({ speaker, text, blip_caption: picture }, place): ToldMessage => ({
        role: speaker === conversation.speaker_a ? "user" : "assistant",
        text: `${speaker}: ${text}${picture === undefined ? "" : ` [shares ${picture}]`}`,
        at: new Date(began + place * SECONDS_APART * 1000),
      }),
    );
    return [{ id: sessionId(name, number), messages }];
  });
}

/** Some evidence is no turn, or one of a session that the file lacks. */
function questionsOf(
  { sample_id: name, qa }: Dialog,
  there: ReadonlySet<string>,
): readonly Question[] {
  return qa.flatMap(({ question, category, evidence }) => {
    const answers = evidence
      .flatMap((turns) => [...turns.matchAll(EVIDENCE)])
      .map(([, number = ""]) => sessionId(name, number))
      .filter((id) => there.has(id));
    if (answers.length === 0) return [];
    const group = KINDS[category] ?? String(category);
    return [{ text: question, answers: new Set(answers), group }];
  });
}

function sessionId(dialog: string, number: string): string {
  return `${dialog}-${number}`;
}

const START = /(\d+):(\d+) (am|pm) on (\d+) (\w{3})\w*,? (\d{4})/i;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds of a time such as `1:56 pm on 8 May, 2023`. */
function startOf(text: string): number {
  const [, hour, minute, half = "", day, month = "", year] = START.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const at = Date.UTC(
    Number(year),
    MONTHS.indexOf(month.toLowerCase()),
    Number(day),
    hours,
    Number(minute),
  );
  if (Number.isNaN(at)) throw new Error(`no time: ${text}`);
  return at;
}
