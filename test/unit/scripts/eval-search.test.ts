/** The measuring of searches: what is read of a public set, and who is asked. */
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readLocomo } from "../../../scripts/eval/search/locomo.ts";
import { fullTextRanker, grepRanker, palliumRanker } from "../../../scripts/eval/search/rankers.ts";
import { groupTable, scoreTable } from "../../../scripts/eval/search/score.ts";
import { indexedStore } from "../../../scripts/eval/search/store.ts";
import { tempDir } from "../../support/temp.ts";

const DIALOG = {
  sample_id: "d",
  conversation: {
    speaker_a: "Ann",
    session_1_date_time: "1:56 pm on 8 May, 2023",
    session_1: [
      { speaker: "Ann", text: "I painted a lake" },
      { speaker: "Ben", text: "Nice", blip_caption: "a boat" },
    ],
    session_2_date_time: "12:05 am on 1 June, 2023",
    session_2: [{ speaker: "Ben", text: "The race is over" }],
  },
  qa: [
    { question: "What did Ann paint?", category: 4, evidence: ["D1:1"] },
    { question: "When was the race?", category: 2, evidence: ["D2:1; D9:1"] },
    { question: "Who knows?", category: 3, evidence: ["D"] },
  ],
};

test("a dialog of LoCoMo becomes sessions, and questions with the sessions that answer them", async () => {
  await using temp = await tempDir();
  const path = join(temp.path, "locomo.json");
  await writeFile(path, JSON.stringify([DIALOG]));
  const [dialog] = readLocomo(path);
  const { sessions = [], questions = [] } = dialog ?? {};
  expect(sessions).toEqual([
    {
      id: "d-1",
      messages: [
        { role: "user", text: "Ann: I painted a lake", at: new Date("2023-05-08T13:56:00Z") },
        {
          role: "assistant",
          text: "Ben: Nice [shares a boat]",
          at: new Date("2023-05-08T13:56:20Z"),
        },
      ],
    },
    {
      id: "d-2",
      messages: [
        { role: "assistant", text: "Ben: The race is over", at: new Date("2023-06-01T00:05:00Z") },
      ],
    },
  ]);
  expect(questions.map(({ text, answers, group }) => [text, [...answers], group])).toEqual([
    ["What did Ann paint?", ["d-1"], "one session"],
    ["When was the race?", ["d-2"], "when"],
  ]);
  const home = join(temp.path, "home");
  await mkdir(home);
  using database = await indexedStore(home, sessions);
  const rankers = [palliumRanker(database), grepRanker(sessions), fullTextRanker(sessions)];
  const asked = questions.map((question) => ({
    question,
    named: rankers.map((rank) => rank(question.text)),
  }));
  expect(asked.map(({ named }) => named.map(([first]) => first))).toEqual([
    ["d-1", "d-1", "d-1"],
    ["d-2", "d-2", "d-2"],
  ]);
  expect(scoreTable(["ours", "grep", "FTS5"], asked)).toContain(
    "| R@1, % | 100.0 (100.0 to 100.0) |",
  );
  expect(groupTable(asked)).toContain("| when | 1 | 100.0 | 100.0 | 1.000 |");
});
