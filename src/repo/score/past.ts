/** The repository as it was at a commit: indexed from what was there then, and nothing later. */
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { ensurePrivateDir, readTextFile, writePrivateFile } from "../../platform/files.ts";
import type { Git } from "../../platform/git/runner.ts";
import { temporaryFolder } from "../../platform/temporary-folder.ts";
import type { RepoView } from "../analysis/view.ts";
import { currentFiles } from "../files/current-files.ts";
import { openIndex } from "../history/index-history.ts";
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
  const folder = await temporaryFolder("pallium-score-");
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
  let close = () => {};
  return {
    repository,
    exactRenames: await isPartialClone(git, commonDir),
    async at(stop) {
      close();
      await git.run(["update-ref", "--no-deref", "HEAD", stop.hash], { cwd: past });
      await indexRepository({ git, clock: clockAt(stop.committedAt) }, repository);
      const index = await openIndex(repository);
      if (index === undefined) throw new Error("the index that was just written cannot be opened");
      close = () => index.close();
      return { index, files: await currentFiles(index, past, []), now: stop.committedAt };
    },
    async [Symbol.asyncDispose]() {
      close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function clockAt(seconds: number): Clock {
  const now = () => new Date(seconds * 1000);
  return { now, iso: () => now().toISOString(), monotonicMs: () => 0 };
}
