import { expect, test } from "bun:test";
import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { validateScript } from "../../../../src/workflow/script/validate.ts";
import { EXAMPLES, type ExampleHome, exampleHome } from "../../../support/examples.ts";

async function committedRepo(): Promise<ExampleHome> {
  const home = await exampleHome();
  await home.git("init", "-q", "-b", "main");
  await home.write("src/hot file.ts", "export const a = 1; // TODO: name it\n");
  await home.write("package.json", '{ "scripts": { "lint": "x" } }\n');
  await home.git("add", "-A");
  await home.git("commit", "-qm", "first");
  await home.write("src/hot file.ts", "export const a = 2; // TODO: name it\n");
  await home.git("commit", "-qam", "second");
  return home;
}

test("every example is a valid script with a name and a description", async () => {
  const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith(".js"));
  expect(files.length).toBeGreaterThanOrEqual(5);
  for (const file of files) {
    const report = await validateScript(await readFile(join(EXAMPLES, file), "utf8"), file);
    expect({ file, ...report }).toMatchObject({ file, valid: true });
    expect(report.warnings ?? []).toEqual([]);
  }
});

test("repo-checkup reports what is wrong with a repository", async () => {
  await using home = await committedRepo();
  await home.write(".env", "A=1\n");
  await home.write("merged.txt", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n");
  await home.git("add", "-A");
  await home.git("commit", "-qm", "third");
  await home.write("new $(touch pwned)'s.txt", "x\n");
  await home.write("src/hot file.ts", "changed \n");
  const { result, exitCode, labels } = await home.run("repo-checkup.js");
  expect(exitCode).toBe(0);
  expect(result.not_checked).toEqual([]);
  const findings = (result.findings as string[]).join("\n");
  expect(findings).toContain("On main with 3 commits");
  expect(findings).toContain("1 tracked file changed but not committed");
  expect(findings).toContain("Untracked: new $(touch pwned)'s.txt");
  expect(findings).toContain("1 whitespace or conflict error");
  const risks = (result.risks as string[]).join("\n");
  expect(risks).toContain("Conflict markers are in: merged.txt");
  expect(risks).toContain("often hold secrets are tracked: .env");
  expect(risks).toContain("No test files were found");
  expect(risks).toContain("src/hot file.ts (2 of the last 500 commits)");
  expect(result.facts).toMatchObject({ commits_per_file: ["src/hot file.ts: 2"] });
  expect(result.next_steps).toContain('Add a "test" script to package.json');
  expect(labels).not.toContain("synthesis");
  expect(await readdir(home.repo)).not.toContain("pwned");
});

test("repo-checkup says so where there is no repository, no commit or no git", async () => {
  await using home = await exampleHome();
  expect((await home.run("repo-checkup.js")).result.facts).toEqual({ git: "no-repository" });
  await home.git("init", "-q");
  const empty = await home.run("repo-checkup.js");
  expect(empty.exitCode).toBe(0);
  expect(empty.result).toMatchObject({
    facts: { git: "no-commits" },
    next_steps: ["Make the first commit"],
  });
  const bin = join(home.repo, "../bin");
  await home.write("../bin/.keep", "");
  for (const tool of ["sh", "dirname", "mkdir", "cat"]) {
    const path = Bun.which(tool);
    if (path !== null) await symlink(path, join(bin, tool));
  }
  const withoutGit = await home.run("repo-checkup.js", { env: { PATH: bin } });
  expect(withoutGit.result.facts).toEqual({ git: "missing" });
});

test("repo-checkup with agents adds their reviews, and keeps the rest when they fail", async () => {
  await using home = await committedRepo();
  const asked = await home.run("repo-checkup.js", { args: { agents: true } });
  expect(asked.labels).toContain("review src/hot file.ts");
  expect(asked.result).toMatchObject({ synthesis: "text" });
  expect(asked.result.next_steps).toContain("text");
  const failed = await home.run("repo-checkup.js", {
    args: { agents: true },
    answers: { "": null },
  });
  expect(failed.result).toMatchObject({ reviews: [], not_checked: ["agents: 1 review failed"] });
  expect(failed.result.findings).not.toEqual([]);
});

test("review-branch keeps the points that a second agent confirms", async () => {
  await using home = await committedRepo();
  await home.git("checkout", "-qb", "topic");
  await home.write("src/big.ts", "export const text = `é`;\n".repeat(400));
  await home.git("add", "-A");
  await home.git("commit", "-qm", "topic");
  const point = { title: "a", file: "b", why: "c", severity: "low" };
  const answers = {
    "review correctness": { summary: "s", points: [point, { ...point, severity: "high" }] },
    "review security": { summary: "none", points: [] },
    "review docs": null,
    "verify correctness": {
      verdicts: [
        { index: 0, holds: true, reason: "" },
        { index: 1, holds: true, reason: "" },
      ],
    },
  };
  const { result, labels } = await home.run("review-branch.js", {
    args: { angles: ["correctness", "security", "docs"] },
    answers,
  });
  expect((result.points as { severity: string }[]).map((kept) => kept.severity)).toEqual([
    "high",
    "low",
  ]);
  expect(result).toMatchObject({ angles_not_reviewed: ["docs"], whole_diff_read: true });
  expect(labels).not.toContain("verify security");
  expect(labels).toContain("diff 3");
});

test("review-branch hands on every character of a change, however its pages fall", async () => {
  await using home = await committedRepo();
  await home.git("checkout", "-qb", "topic");
  const lines = Array.from({ length: 300 }, (_, index) => `${index} ${"é€😀".repeat(index % 9)}`);
  const text = `${lines.join("\n")}\n${"ü€😀".repeat(2000)}\n`;
  await home.write("src/big.txt", text);
  await home.git("add", "-A");
  await home.git("commit", "-qm", "topic");
  const { result } = await home.run("review-branch.js", { args: { angles: ["correctness"] } });
  expect(result.whole_diff_read).toBe(true);
  const added = text.replace(/^(?=.)/gm, "+");
  const prompts = new Bun.Glob(".pallium/workflow-runs/**/prompt*");
  const found = [...prompts.scanSync({ cwd: join(home.repo, ".."), dot: true, absolute: true })];
  const texts = await Promise.all(found.map((path) => Bun.file(path).text()));
  expect(texts.some((prompt) => prompt.includes(added))).toBe(true);
  expect(texts.filter((prompt) => prompt.includes("\ufffd"))).toEqual([]);
});

test("review-branch takes no base for a command", async () => {
  await using home = await committedRepo();
  const { result } = await home.run("review-branch.js", { args: { base: "'; touch pwned; '" } });
  expect(result.summary).toContain("Found no base");
  expect(await readdir(home.repo)).not.toContain("pwned");
});

test("fix-plan asks one agent per failure, and none when the tests pass", async () => {
  await using home = await exampleHome();
  await home.write(
    "fails.sh",
    "echo 'a.ts(1,1): error TS1: x'\necho 'b.ts(2,1): error TS2: y'\nexit 2\n",
  );
  const { result } = await home.run("fix-plan.js", { args: { command: "sh fails.sh", most: 1 } });
  expect(result).toMatchObject({
    ok: false,
    summary: "sh fails.sh failed with exit code 2: 2 failures",
    plan: [{ failure: { name: "TS1", file: "a.ts", line: 1 }, proposal: { confidence: "high" } }],
    failures_not_looked_into: ["TS2"],
  });
  const passing = await home.run("fix-plan.js", { args: { command: "true" } });
  expect(passing.result).toMatchObject({ ok: true, plan: [] });
  expect(passing.labels).toEqual(["tests"]);
});

test("adversarial-review keeps what the majority of skeptics could not refute", async () => {
  await using home = await exampleHome();
  const claim = (name: string) => ({ claim: name, evidence: "e" });
  const vote = (refuted: boolean) => ({ refuted, reason: "r" });
  const { result } = await home.run("adversarial-review.js", {
    args: { most: 3 },
    answers: {
      claims: { claims: [claim("true"), claim("false"), claim("open"), claim("left over")] },
      "skeptic 1 of claim 1": vote(true),
      "skeptic 2 of claim 1": vote(false),
      "skeptic 3 of claim 1": vote(false),
      "skeptic 1 of claim 3": null,
      "skeptic 2 of claim 3": null,
    },
  });
  expect(result).toMatchObject({
    stands: [{ claim: "true", against: 1 }],
    refuted: [{ claim: "false", against: 3 }],
    undecided: [{ claim: "open" }],
    claims_not_judged: ["left over"],
  });
});

test("bug-hunt stops after two rounds without news", async () => {
  await using home = await exampleHome();
  const { result } = await home.run("bug-hunt.js");
  expect(result).toMatchObject({ ended: "dry", rounds: 3, reported: 1, unconfirmed: 0 });
  expect(result.confirmed).toEqual([{ file: "text", line: 0, bug: "text", how: "text" }]);
});
