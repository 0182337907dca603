import { expect, test } from "bun:test";
import { RepoEdits } from "../../../../src/workflow/edits/repo-edits.ts";
import { type EditBench, newEditBench } from "../../../support/edit-bench.ts";

function editsOf({ repo, run, git, store, commonDir }: EditBench): RepoEdits {
  const powers = {
    git,
    place: { root: repo.path, commonDir, offset: "" },
    store,
    worktrees: run.join("trees"),
    includeDirty: false,
    links: [],
    alone: <T>(work: () => Promise<T>) => work(),
    begun: async () => {},
    replayed: async () => {},
  };
  return new RepoEdits(powers, undefined, []);
}

test("an edit that cannot be put on record is not staged, and the next one is merged without it", async () => {
  await using bench = await newEditBench({ "a.txt": "a\n" });
  const edits = editsOf(bench);
  const worker = await edits.openWorktree("w");
  await bench.shell(worker.root, "echo b > b.txt");
  const capture = await edits.capture(worker);
  const full = () => Promise.reject(new Error("full"));
  await expect(edits.stage("call", capture, full)).rejects.toThrow("full");
  expect(edits.staged).toBe(worker.tree);
  expect(edits.merged).toEqual([]);
  const record = await edits.stage("again", capture, async (merge) => merge);
  expect(record).toMatchObject({ before: worker.tree, calls: ["again"] });
  expect(await bench.files(edits.staged ?? "")).toEqual({
    "a.txt": "100644 a\n",
    "b.txt": "100644 b\n",
  });
  await edits.removeWorktree(worker.root);
});

test.each(["git add -f a.log", "git add -f a.log; git commit -qm x"])(
  "an ignored file that a worker gave to git is its work: %s",
  async (script) => {
    await using bench = await newEditBench({ ".gitignore": "*.log\n" });
    const edits = editsOf(bench);
    const worker = await edits.openWorktree("w");
    await bench.shell(worker.root, `echo a > a.log; echo b > b.log; ${script}`);
    const { changes } = await edits.capture(worker);
    expect(changes.map(({ path }) => path)).toEqual(["a.log"]);
    await edits.removeWorktree(worker.root);
  },
);
