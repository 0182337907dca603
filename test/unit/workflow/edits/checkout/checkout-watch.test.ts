import { expect, test } from "bun:test";
import { watchCheckout } from "../../../../../src/workflow/edits/checkout/checkout-watch.ts";
import { newEditBench } from "../../../../support/edit-bench.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n", "crlf.txt": "c\r\n", ".gitattributes": "* text\n" };

/** What is told of a checkout, in which the user changed `b.txt`, once a worker ran a script in it. */
async function changedBy(script: string): Promise<readonly string[]> {
  await using bench = await newEditBench(FILES, { script: "ln -s a.txt link; echo r >gone.txt" });
  const { repo, git, store, commonDir } = bench;
  await bench.shell(repo.path, "echo user >b.txt; rm gone.txt");
  const watch = await watchCheckout(git, store, { root: repo.path, commonDir });
  await bench.shell(repo.path, script);
  return await watch.changed();
}

test.each([
  "touch a.txt b.txt crlf.txt",
  "for file in a.txt b.txt crlf.txt; do cp $file x; mv x $file; done; ln -sf a.txt link",
  "git status; git update-index --refresh || true",
  "echo x >a.txt; echo a >a.txt; echo new >new.txt",
])("a file that is written anew as it was is not told: %s", async (script) => {
  expect(await changedBy(script)).toEqual([]);
});

test.each([
  ["echo x >>a.txt", ["a.txt"]],
  ["echo x >>b.txt; rm crlf.txt", ["b.txt", "crlf.txt"]],
  ["chmod +x a.txt b.txt", ["a.txt", "b.txt"]],
  ["ln -sf b.txt link; echo r >gone.txt", ["gone.txt", "link"]],
  ["git checkout -q b.txt", ["b.txt"]],
  ["echo x >>a.txt; git add a.txt", ["a.txt"]],
  ["echo x >>a.txt; git commit -qam x", ["a.txt"]],
])("a file that is another one is told: %s", async (script, files) => {
  expect(await changedBy(script)).toEqual(files);
});
