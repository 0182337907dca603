/** Neither the user's settings of git nor the repository's attributes change what is taken and put. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, symlink } from "node:fs/promises";
import { writePatch } from "../../../../../src/workflow/edits/trees/patch.ts";
import {
  type BenchOptions,
  type EditBench,
  editBench,
  filesBelow,
  newEditBench,
} from "../../../../support/edit-bench.ts";
import { testRepository } from "../../../../support/repository.ts";

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "crlf.txt": "a\r\nb\r\n" };
const WORK =
  "echo x >>a.txt; rm b.txt; printf 'new\\r\\nlines\\n' >new.txt; printf 'c\\n' >>crlf.txt";

/** Works in a working tree, and expects its files in the next one. @returns the tree. */
async function roundTrip(bench: EditBench, work = WORK): Promise<string> {
  const worker = await bench.open();
  await bench.shell(worker.root, work);
  const done = await filesBelow(worker.root);
  const { tree } = await bench.capture(worker);
  expect(await bench.files(tree)).toEqual(done);
  const next = await bench.open(tree);
  expect(await filesBelow(next.root)).toEqual(done);
  expect((await bench.capture(next)).changes).toEqual([]);
  return tree;
}

const TRAP = `printf '#!/bin/sh\\ntouch "$HOME/ran"; exit 1\\n' >"$HOME/trap"; chmod +x "$HOME/trap"`;

async function hostileBench(config: string, options: BenchOptions = {}): Promise<EditBench> {
  const bench = await newEditBench(FILES, { config, ...options });
  await bench.shell(bench.run.path, TRAP);
  return bench;
}

const ran = (bench: EditBench) => existsSync(bench.run.join("ran"));

describe("settings of the user", () => {
  test("D11: prefixes, colours, external diffs, text conversions and orders leave the patch as it is", async () => {
    await using plain = await newEditBench(FILES);
    await using bench = await hostileBench(`
[diff]
	noprefix = true
	mnemonicPrefix = true
	external = sh -c '"$HOME/trap"'
	orderFile = ~/order
	context = 0
	algorithm = patience
	submodule = log
	wsErrorHighlight = all
[diff "text"]
	textconv = sh -c '"$HOME/trap"'
	command = sh -c '"$HOME/trap"'
[color]
	ui = always
	diff = always
[core]
	attributesFile = ~/attributes
	pager = sh -c '"$HOME/trap"'
	quotePath = true
[apply]
	whitespace = error
`);
    await Bun.write(bench.run.join("attributes"), "*.txt diff=text\n");
    await Bun.write(bench.run.join("order"), "*.txt\n");
    const patchOf = async (one: EditBench) => {
      const path = one.run.join("a.patch");
      await writePatch(one.store, path, await one.base(), await roundTrip(one));
      return Bun.file(path).text();
    };
    expect(await patchOf(bench)).toBe(await patchOf(plain));
    expect(ran(bench)).toBe(false);
  });

  test("X7: signing without a key and failing hooks keep no working tree from being made", async () => {
    await using bench = await hostileBench(`
[commit]
	gpgSign = true
	template = ~/missing
	verbose = true
[gpg]
	program = sh -c '"$HOME/trap"'
[core]
	hooksPath = ~/hooks
	editor = sh -c '"$HOME/trap"'
[user]
	useConfigOnly = true
`);
    const hooks = [
      "pre-commit",
      "commit-msg",
      "prepare-commit-msg",
      "post-commit",
      "post-checkout",
      "post-index-change",
      "reference-transaction",
    ];
    await bench.shell(
      bench.run.path,
      `mkdir hooks; for hook in ${hooks.join(" ")}; do cp trap "hooks/$hook"; cp trap ${bench.commonDir}/hooks/$hook; done`,
    );
    const worker = await bench.open();
    await bench.shell(worker.root, WORK);
    const { tree } = await bench.capture(worker);
    const next = await bench.open(tree);
    await bench.remove(next);
    expect(ran(bench)).toBe(false);
  });

  test("X7: hooks of the repository itself do not run either", async () => {
    await using bench = await hostileBench("");
    await bench.shell(
      bench.run.path,
      `for hook in pre-commit post-checkout commit-msg; do cp trap "${bench.commonDir}/hooks/$hook"; done`,
    );
    await roundTrip(bench);
    expect(ran(bench)).toBe(false);
  });

  test("a split index and an untracked cache leave nothing in the repository's git directory", async () => {
    await using bench = await newEditBench(FILES, {
      config:
        "[core]\n\tsplitIndex = true\n\tuntrackedCache = true\n[feature]\n\tmanyFiles = true\n",
    });
    await bench.base();
    const before = await readdir(bench.commonDir);
    const worker = await bench.open();
    await bench.shell(worker.root, WORK);
    const { tree } = await bench.capture(worker);
    await bench.store.withIndex((index) => index.run(["read-tree", tree]));
    await bench.remove(worker);
    expect(await readdir(bench.commonDir)).toEqual(before);
  });

  const EOL: Readonly<Record<string, string>> = {
    "core.autocrlf=true": "[core]\n\tautocrlf = true\n\tsafecrlf = true\n",
    "core.autocrlf=input": "[core]\n\tautocrlf = input\n\tsafecrlf = true\n",
    "core.eol=crlf": "[core]\n\teol = crlf\n",
  };
  for (const [name, config] of Object.entries(EOL)) {
    test(`${name} leaves bytes as they are`, async () => {
      await using bench = await newEditBench(
        { ...FILES, ".gitattributes": "b.txt text\n" },
        { config },
      );
      const tree = await roundTrip(bench);
      const isCrlf = name === "core.autocrlf=true";
      const files = await bench.files(tree);
      expect(files["a.txt"]).toBe(
        `100644 ${isCrlf ? "one\r\ntwo\r\nthree\r\n" : "one\ntwo\nthree\n"}x\n`,
      );
      expect(files["new.txt"]).toBe("100644 new\r\nlines\n");
    });
  }

  test("core.fileMode=false keeps modes as they were, and new files plain", async () => {
    const repo = await testRepository();
    await repo.commit("Begin", FILES);
    await repo.git("update-index", "--chmod=+x", "b.txt");
    await repo.git("commit", "-qm", "Executable");
    await repo.git("config", "core.fileMode", "false");
    await using blind = await editBench(repo);
    const worker = await blind.open();
    await blind.shell(
      worker.root,
      "chmod +x a.txt; chmod -x b.txt; echo x >>b.txt; echo n >n; chmod +x n",
    );
    const { changes } = await blind.capture(worker);
    expect(changes.map(({ path, after }) => [path, after?.mode])).toEqual([
      ["b.txt", "100755"],
      ["n", "100644"],
    ]);
  });

  test("core.symlinks=false keeps links that are files on disk", async () => {
    const repo = await testRepository();
    await symlink("a.txt", repo.join("link"));
    await symlink("b.txt", repo.join("other"));
    await repo.commit("Begin", FILES);
    await repo.git("config", "core.symlinks", "false");
    await using blind = await editBench(repo);
    const worker = await blind.open();
    await blind.shell(worker.root, "printf b.txt >link; rm other; echo x >new");
    const { tree } = await blind.capture(worker);
    expect(await blind.files(tree)).toMatchObject({ link: "120000 b.txt", new: "100644 x\n" });
    const next = await blind.open(tree);
    expect(await filesBelow(next.root)).toEqual(await filesBelow(worker.root));
    expect(await blind.shell(next.root, "git status --porcelain")).toBe("");
  });
});

describe("attributes", () => {
  const ATTRIBUTES: Readonly<Record<string, string>> = {
    "text=auto": "* text=auto",
    "eol=crlf": "*.txt text eol=crlf",
    "-diff and -merge": "* -diff -merge",
    ident: "* ident",
    "an encoding that fits": "new.txt working-tree-encoding=UTF-8",
    "an encoding that does not fit": "*.txt working-tree-encoding=UTF-16",
    "a filter of the user": "*.txt filter=upper",
    "a filter that must work and does not": "*.txt filter=broken",
    "a merge driver and a text conversion": "* merge=broken diff=broken",
  };
  const config = `
[filter "upper"]
	clean = tr a-z A-Z
	smudge = tr A-Z a-z
[filter "broken"]
	clean = false
	smudge = false
	required = true
[merge "broken"]
	driver = false
[diff "broken"]
	textconv = false
`;
  const work = `${WORK}; printf '$Id$\\n' >id.txt; ln -s a.txt link`;
  for (const [name, line] of Object.entries(ATTRIBUTES)) {
    test(`${name}: that a worker sets changes no byte`, async () => {
      await using bench = await newEditBench(FILES, { config });
      await roundTrip(bench, `${work}; echo '${line}' >.gitattributes`);
    });
  }

  for (const name of ["text=auto", "eol=crlf", "ident", "a filter of the user"]) {
    test(`${name}: that is committed changes no byte`, async () => {
      const attributes = `${ATTRIBUTES[name]}\n`;
      await using bench = await newEditBench(
        { ...FILES, "id.txt": "$Id$\n", ".gitattributes": attributes },
        { config },
      );
      await roundTrip(bench);
      await roundTrip(bench, `${work}; rm .gitattributes`);
    });
  }

  test("the user's own attributes count when files are checked out", async () => {
    await using bench = await newEditBench(FILES);
    await Bun.write(`${bench.commonDir}/info/attributes`, "*.txt eol=crlf\n");
    const tree = await roundTrip(bench, "echo x >>a.txt");
    expect((await bench.files(tree))["b.txt"]).toBe("100644 b\r\n");
  });
});
