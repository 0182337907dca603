/** How sessions look as text. */
import { expect, test } from "bun:test";
import { command as grep } from "../../../../src/cli/commands/sessions/grep.ts";
import { command as list } from "../../../../src/cli/commands/sessions/list.ts";
import { command as search } from "../../../../src/cli/commands/sessions/search.ts";
import { highlighted } from "../../../../src/cli/views/sessions/highlights.ts";
import { shownSessionText } from "../../../../src/cli/views/sessions/show.ts";
import { showSession } from "../../../../src/sessions/reports/show.ts";
import { claudeTranscript } from "../../../support/transcripts/claude-session.ts";
import { testIndex } from "../../../support/transcripts/index.ts";

test("places of what was asked for are counted in characters", () => {
  const snippet = "🦀 a needle, a needle 🦀";
  const matches = [
    [4, 10],
    [14, 20],
  ] as const;
  const marked = highlighted({ snippet, matches }, (text) => `<${text}>`);
  expect(marked).toBe("🦀 a <needle>, a <needle> 🦀");
});

test("a session is shown with its first forty commands and files, and how many commands there are more", async () => {
  await using index = await testIndex();
  const names = Array.from({ length: 45 }, (_, at) => `${at}`.padStart(2, "0"));
  const steps = names.flatMap((name) => [{ run: `make ${name}` }, { edit: `/src/${name}.ts` }]);
  const text = claudeTranscript({ id: "one", cwd: "/src", steps: [{ user: "go" }, ...steps] });
  await index.write("claude/projects/p/one.jsonl", text);
  await index.index();
  const shown = shownSessionText(showSession(index.database, { id: "one" }));
  expect(shown).toContain("\n- make 39\n- … and 5 more");
  expect(shown).toContain("/src/39.ts\n");
  expect(shown).not.toContain("/src/40.ts");
});

test.each([
  [list, "20"],
  [search, "10"],
  [grep, "20"],
])("%# lists as many as the Go program does", ({ args }, usual) => {
  expect(args.limit).toMatchObject({ default: usual });
});
