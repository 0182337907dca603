import { expect, test } from "bun:test";
import { memoise } from "../../../src/lib/memoise.ts";

test("each question is answered once, also with nothing", () => {
  const asked: string[] = [];
  const answer = memoise((question) => {
    asked.push(question);
    return question === "none" ? undefined : question.length;
  });
  expect(["one", "none", "one", "none"].map(answer)).toEqual([3, undefined, 3, undefined]);
  expect(asked).toEqual(["one", "none"]);
});
