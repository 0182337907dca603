/** What a run edited, as a commit on a branch of its own. */
import { expect, test } from "bun:test";
import { removeFolder } from "../../../../../src/platform/remove-folder.ts";
import { commitToBranch } from "../../../../../src/workflow/edits/checkout/commit-branch.ts";
import { type ApplyBench, applyBench } from "../../../../support/apply-bench.ts";
import { filesBelow } from "../../../../support/edit-bench.ts";
import { tempDir } from "../../../../support/temp.ts";

const FILES = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "folder/c": "c\n",
  "up.up": "lower\n",
  ".gitattributes": "*.up filter=up\n*.txt eol=crlf\n",
};
const NAMED = "[user]\n name = Una\n email = una@example.com\n";
const FILTER = '[filter "up"]\n smudge = tr a-z A-Z\n clean = tr A-Z a-z\n';
const config = NAMED + FILTER;
const EDIT = `
  printf 'more\\r\\n' >>a.txt; rm b.txt; echo NEW >new.up; echo MORE >>up.up; ln -s a.txt link
  echo '#!' >run; chmod +x run; git mv folder moved; echo caf >"$(printf 'caf\\351')"
  echo '*.low filter=up' >>.gitattributes; echo ATTR >x.low`;

async function commit(
  work: ApplyBench,
  [from, to]: readonly [string, string],
  changes: { branch?: string; base?: string } = {},
): Promise<string> {
  const { git, store, commonDir } = work.bench;
  const head = (await work.user("git rev-parse HEAD")).trim();
  const tree = changes.base ?? from;
  const { branch = "pallium/work" } = changes;
  const message = "What the run did\n\nFor a reason.\n";
  return commitToBranch(git, store, { commonDir, commit: head, tree, from, to, branch, message });
}

test("a checkout of the branch is what the run left, contents cleaned by the repository's filters", async () => {
  await using work = await applyBench(FILES, { config });
  await work.user("git checkout -q HEAD -- .; echo mine >>a.txt; echo s >s; git add s");
  const trees = await work.edit(EDIT);
  const before = [await work.files(), await work.user("git status --porcelain; git ls-files -s")];
  const made = await commit(work, trees);
  expect([await work.files(), await work.user("git status --porcelain; git ls-files -s")]).toEqual(
    before,
  );
  expect(await work.user(`git show -s --format='%P %an %ae %cn %B' ${made}`)).toBe(
    `${await work.user("git rev-parse HEAD")}`.trim() +
      " Una una@example.com Una What the run did\n\nFor a reason.\n\n",
  );
  expect(
    await work.user("git show pallium/work:new.up pallium/work:up.up pallium/work:x.low"),
  ).toBe("new\nlower\nmore\nattr\n");
  expect(await work.user("git show pallium/work:a.txt")).toBe("a\nmore\n");

  await using dir = await tempDir();
  await work.user(`git worktree add -q --detach ${dir.join("w")} pallium/work`);
  const { ".git": _, ...checkedOut } = await filesBelow(dir.join("w"));
  expect(checkedOut).toEqual({
    ...(await work.bench.files(trees[1])),
    "x.low": "100644 ATTR\n",
  });
});

test("all that it needs is in the repository, whatever becomes of the run's files", async () => {
  await using work = await applyBench(FILES, { config });
  await commit(work, await work.edit(EDIT));
  await removeFolder(work.bench.store.objects);
  await work.user("git fsck --strict --no-dangling");
  expect(await work.user("git for-each-ref --format='%(refname)'")).toBe(
    "refs/heads/main\nrefs/heads/pallium/work\n",
  );
});

test("who has no name in git commits as pallium", async () => {
  await using work = await applyBench(FILES, { config: FILTER });
  const made = await commit(work, await work.edit("echo x >x"));
  expect(await work.user(`git show -s --format='%an %ae %cn' ${made}`)).toBe(
    "pallium pallium@localhost pallium\n",
  );
});

test("a branch that is there, or a name that none can have, is refused", async () => {
  await using work = await applyBench(FILES, { config });
  const trees = await work.edit("echo x >x");
  await expect(commit(work, trees, { branch: "main" })).rejects.toMatchObject({
    code: "branch_exists",
  });
  for (const branch of ["", "-x", "a..b", "a b", "x.lock"]) {
    await expect(commit(work, trees, { branch })).rejects.toMatchObject({ code: "branch_invalid" });
  }
  expect(await work.user("git for-each-ref --format='%(refname)'")).toBe("refs/heads/main\n");
});

test("the run's edits alone get in, not what they began with that is not committed", async () => {
  await using work = await applyBench(FILES, { config });
  const [base, dirty] = await work.edit("printf 'dirty\\r\\n' >b.txt; echo u >untracked");
  const later = await work.edit("printf 'more\\r\\n' >>a.txt", dirty);
  await commit(work, later, { base });
  expect(await work.user("git diff --name-only main pallium/work")).toBe("a.txt\n");

  const onTop = await work.edit("printf 'more\\r\\n' >>b.txt", dirty);
  await expect(commit(work, onTop, { base, branch: "other" })).rejects.toMatchObject({
    code: "branch_conflict",
    message: "the edits build on changes that are not committed: b.txt",
  });
});
