/** The repository as it was at a commit: indexed from what was there then, and nothing later. */
import { join } from "node:path";
import { dateOf, isoTime } from "../../lib/iso-time.ts";
import type { Clock } from "../../platform/clock.ts";
import { ensurePrivateDir, readTextFile, writePrivateFile } from "../../platform/files.ts";
import type { Git } from "../../platform/git/runner.ts";
import type { Artifact } from "../../platform/sqlite/artifact.ts";
import { temporaryFolder } from "../../platform/temporary-folder.ts";
import { type RepoView, repoView } from "../analysis/view.ts";
import { currentFiles } from "../files/current-files.ts";
import { indexedTree } from "../files/indexed-tree.ts";
import { openIndex } from "../history/present-index.ts";
import { isPartialClone } from "../history/read-log.ts";
import type { Repository } from "../identity.ts";
import { indexRepository } from "../index-repository.ts";

/** A commit of the main line. */
export interface Stop {
  readonly hash: string;
  /** Seconds since 1970. */
  readonly committedAt: number;
}

export interface Past extends AsyncDisposable {
  /** Has its own HEAD and no working tree, and shares the objects of the other. */
  readonly repository: Repository;
  /** Whether only files of equal content are taken for renamed: others would have to be fetched. */
  readonly exactRenames: boolean;
  /** What pallium would have known at a commit. The view before can no longer be used. */
  at(stop: Stop): Promise<RepoView>;
}

/** Makes a repository of its own, in a temporary folder, that borrows the objects of another. */
export async function openPast(git: Git, { root, commonDir }: Repository): Promise<Past> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder("pallium-score-"));
  const past = join(folder.path, "past.git");
  const { stdout } = await git.run(["rev-parse", "--show-object-format"], { cwd: root });
  const format = `--object-format=${stdout.trim()}`;
  await git.run(["init", "--quiet", "--bare", format, past], { cwd: folder.path });
  await ensurePrivateDir(join(past, "objects", "info"));
  const objects = `${join(commonDir, "objects")}\n`;
  await writePrivateFile(join(past, "objects", "info", "alternates"), objects);
  const shallow = await readTextFile(join(commonDir, "shallow"));
  if (shallow !== undefined) await writePrivateFile(join(past, "shallow"), shallow);
  const repository: Repository = {
    root: past,
    commonDir: past,
    canonicalRoot: past,
    dataFolder: join(folder.path, "data"),
  };
  const exactRenames = await isPartialClone(git, commonDir);
  const kept = opening.move();
  let index: Artifact | undefined;
  return {
    repository,
    exactRenames,
    async at(stop) {
      index?.close();
      index = undefined;
      await git.run(["update-ref", "--no-deref", "HEAD", stop.hash], { cwd: past });
      await indexRepository({ git, clock: clockAt(stop.committedAt) }, repository);
      index = await openIndex(repository);
      if (index === undefined) throw new Error("the index that was just written cannot be opened");
      const files = await currentFiles(index, indexedTree(index), past, []);
      return repoView({ index, files, now: stop.committedAt });
    },
    async [Symbol.asyncDispose]() {
      index?.close();
      await kept.disposeAsync();
    },
  };
}

function clockAt(seconds: number): Clock {
  return { now: () => dateOf(seconds), iso: () => isoTime(seconds), monotonicMs: () => 0 };
}
