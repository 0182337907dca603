/** A repository, the objects of a run, and working trees in which a test works as a worker does. */
import { lstat, mkdir, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { byText } from "../../src/lib/by-text.ts";
import { encodePath } from "../../src/lib/git-path.ts";
import { readBlobs } from "../../src/platform/git/read-blobs.ts";
import { createGit, type Git } from "../../src/platform/git/runner.ts";
import { removeFolder } from "../../src/platform/remove-folder.ts";
import { readTree } from "../../src/workflow/edits/trees/tree.ts";
import { openTreeStore, type TreeStore } from "../../src/workflow/edits/trees/tree-store.ts";
import { checkedOutTree } from "../../src/workflow/edits/worktrees/base-tree.ts";
import {
  type ChangeOptions,
  readChanges,
  type WorkingChanges,
  type WorkingTree,
} from "../../src/workflow/edits/worktrees/working-tree-changes.ts";
import {
  addWorktree,
  removeWorktree,
  seedWorktree,
  stateOfWorktree,
} from "../../src/workflow/edits/worktrees/worktree.ts";
import { GIT_VARIABLES, repositoryIn, type TestRepository, testRepository } from "./repository.ts";
import { type TempDir, tempDir } from "./temp.ts";

/** Mode and content of each file, by its path; bytes are written as Latin-1. */
export type Files = Readonly<Record<string, string>>;

export interface EditBench extends AsyncDisposable {
  readonly repo: TestRepository;
  /** Holds the settings of the user and all that the run writes. */
  readonly run: TempDir;
  readonly git: Git;
  readonly store: TreeStore;
  readonly commonDir: string;
  /** What the commit puts into a working tree. */
  base(): Promise<string>;
  /** A working tree that holds a tree; the base without one. */
  open(tree?: string): Promise<WorkingTree>;
  /** What was done in it. */
  capture(worktree: WorkingTree, options?: ChangeOptions): Promise<WorkingChanges>;
  remove(worktree: WorkingTree): Promise<void>;
  /** The files of a tree. */
  files(tree: string): Promise<Files>;
  /** Runs a shell script in a folder, as a worker does; its git has the user's settings. */
  shell(cwd: string, script: string): Promise<string>;
}

export interface BenchOptions {
  /** The user's settings, as in `.gitconfig`. */
  readonly config?: string;
  /** Where the user's checkout is, when it is not where the repository was made. */
  readonly checkout?: string;
  /** Added to the user's environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Name of the folder of objects. */
  readonly objects?: string;
}

/** Around a new repository with one commit; `script` runs in it before that. */
export async function newEditBench(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { script = "", init = [], ...options }: BenchOptions & { script?: string; init?: string[] } = {},
): Promise<EditBench> {
  const repo = await testRepository(...init);
  await repo.write(files);
  await shell(repo.path, script, GIT_VARIABLES);
  await repo.commit("Begin");
  return editBench(repo, options);
}

/** Around a repository that has a commit, and is removed with the bench. */
export async function editBench(
  repo: TestRepository,
  { config = "", checkout = repo.path, variables, objects = "objects" }: BenchOptions = {},
): Promise<EditBench> {
  const run = await tempDir();
  await Bun.write(run.join("gitconfig"), config);
  const settings = { HOME: run.path, GIT_CONFIG_GLOBAL: run.join("gitconfig") };
  const user = { ...GIT_VARIABLES, ...settings, ...variables };
  const git = createGit(user);
  const args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const commonDir = (await git.run(args, { cwd: checkout })).stdout.replace(/\n$/, "");
  const store = await openTreeStore(git, commonDir, run.join(objects));
  const commit = (await git.headCommit(checkout)) ?? "";
  const worktrees = run.join("worktrees");
  await mkdir(worktrees);
  const remove = (root: string) => removeWorktree(commonDir, root, worktrees);
  let base: string | undefined;
  let count = 0;

  const add = async () => {
    count += 1;
    const added = await addWorktree(git, checkout, join(worktrees, `w${count}`), commit);
    base ??= await checkedOutTree(store, added.root, commit, added.paths);
    return { ...added, base };
  };
  return {
    repo,
    run,
    git,
    store,
    commonDir,
    async base() {
      if (base === undefined) await remove((await add()).root);
      return base ?? "";
    },
    async open(wanted) {
      const { root, paths, base: from } = await add();
      const tree = wanted ?? from;
      const seeded = await seedWorktree(git, store, root, from, tree);
      return { root, tree, state: await stateOfWorktree(root, paths, seeded) };
    },
    capture: (worktree, options) => readChanges(store, worktree, options),
    remove: ({ root }) => remove(root),
    files: (tree) => filesOfTree(store, tree),
    shell: (cwd, script) => shell(cwd, script, { ...user, ...WORKER }),
    async [Symbol.asyncDispose]() {
      await removeFolder(run.path);
      await removeFolder(repo.path);
    },
  };
}

/** A clone of a repository, in a folder of its own. */
export async function cloneOf(repo: TestRepository, ...options: string[]): Promise<TestRepository> {
  const dir = await tempDir();
  await repo.git("clone", "-q", ...options, `file://${repo.path}`, dir.path);
  return repositoryIn(dir);
}

/** The files below a folder, without what belongs to git, and without pipes. */
export async function filesBelow(root: string): Promise<Files> {
  const files: [string, string][] = [];
  const visit = async (folder: Buffer, prefix: string): Promise<void> => {
    for (const name of await readdir(folder, { encoding: "buffer" })) {
      const path = prefix + name.toString("latin1");
      const absolute = Buffer.concat([folder, Buffer.from("/"), name]);
      const stat = await lstat(absolute);
      if (path === ".git") continue;
      if (stat.isDirectory()) await visit(absolute, `${path}/`);
      else if (stat.isSymbolicLink()) {
        const target = await readlink(absolute, { encoding: "buffer" });
        files.push([path, `120000 ${target.toString("latin1")}`]);
      } else if (stat.isFile()) {
        const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
        files.push([path, `${mode} ${(await readFile(absolute)).toString("latin1")}`]);
      }
    }
  };
  await visit(Buffer.from(root), "");
  return sorted(files);
}

async function filesOfTree(store: TreeStore, tree: string): Promise<Files> {
  const entries = [...(await readTree(store, tree))].filter(([, { mode }]) => mode !== "160000");
  const contents = new Map<string, string>();
  const blobs = new Set(entries.map(([, { blob }]) => blob));
  await readBlobs(store, [...blobs], {}, (blob, content) =>
    contents.set(blob, content.toString("latin1")),
  );
  return sorted(
    entries.map(([path, { mode, blob }]) => [
      encodePath(path).toString("latin1"),
      `${mode} ${contents.get(blob)}`,
    ]),
  );
}

function sorted(files: readonly (readonly [path: string, file: string])[]): Files {
  return Object.fromEntries(files.toSorted(([a], [b]) => byText(a, b)));
}

const WORKER = {
  GIT_AUTHOR_NAME: "worker",
  GIT_AUTHOR_EMAIL: "worker@example.com",
  GIT_COMMITTER_NAME: "worker",
  GIT_COMMITTER_EMAIL: "worker@example.com",
};

async function shell(
  cwd: string,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = Bun.spawn(["sh", "-ec", script], {
    cwd,
    env: { ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, status] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
  return stdout;
}
