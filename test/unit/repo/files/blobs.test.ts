import { expect, test } from "bun:test";
import { readBlobs } from "../../../../src/platform/git/read-blobs.ts";
import { createGit } from "../../../../src/platform/git/runner.ts";
import { blobsUpTo } from "../../../../src/repo/files/blobs.ts";
import { GIT_VARIABLES, testRepository } from "../../../support/repository.ts";

const git = createGit(GIT_VARIABLES);
const MISSING = "1".repeat(40);

test("contents come in the order asked, without what is missing, however they are cut", async () => {
  await using repo = await testRepository();
  const texts = ["one\n", "", "x".repeat(300_000), "\n\n"];
  await repo.write(Object.fromEntries(texts.map((text, at) => [`${at}`, text])));
  const hashes = (await repo.git("hash-object", "-w", "0", "1", "2", "3")).trim().split("\n");
  const asked = [hashes[2] ?? "", MISSING, ...hashes];
  const taken: [string, string][] = [];
  await readBlobs(git, asked, { cwd: repo.path }, (blob, content) =>
    taken.push([blob, content.toString()]),
  );
  expect(taken).toEqual([
    [hashes[2] ?? "", texts[2] ?? ""],
    ...hashes.map((hash, at): [string, string] => [hash, texts[at] ?? ""]),
  ]);
  expect(await blobsUpTo(git, repo.path, [...hashes, MISSING], 1000)).toEqual([
    hashes[0] ?? "",
    hashes[1] ?? "",
    hashes[3] ?? "",
  ]);
});
