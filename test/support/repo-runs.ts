/** Scripts that ask repository memory, in a repository of their own. */
import { GIT_VARIABLES, type TestRepository, testRepository } from "./repository.ts";
import { type ScriptOptions, type WorkflowHome, workflowHome } from "./workflow.ts";

const { HOME: _, PATH: __, ...neutralGit } = GIT_VARIABLES;
/** Variables that keep the user's settings of git out; PATH and HOME are the test's own. */
export const NEUTRAL_GIT: Readonly<Record<string, string>> = neutralGit;

export interface RepoRuns extends AsyncDisposable {
  readonly home: WorkflowHome;
  readonly repo: TestRepository;
  /** Runs a script in the repository. */
  script(source: string, options?: ScriptOptions): ReturnType<WorkflowHome["script"]>;
}

/** A repository with two commits, a test command, and a home. */
export async function repoRuns({ indexed = true } = {}): Promise<RepoRuns> {
  const [home, repo] = await Promise.all([workflowHome(), testRepository()]);
  await repo.commit("one", {
    "package.json": '{ "name": "x", "scripts": { "test": "node check.js" } }\n',
    "check.js": "",
    "src/a.ts": "export const a = 1;\n",
    "src/a.test.ts": 'import { a } from "./a.ts";\n',
  });
  await repo.commit("two", { "src/a.ts": "export const a = 2;\n", "src/a.test.ts": "// two\n" });
  if (indexed) await home.pallium(["index", repo.path], { env: NEUTRAL_GIT });
  return {
    home,
    repo,
    script: (source, options = {}) =>
      home.script(source, {
        flags: ["--cwd", repo.path],
        ...options,
        env: { ...NEUTRAL_GIT, ...options.env },
      }),
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
