/**
 * Checks that what the documents name is there: paths, links, npm scripts, and every `pallium …`
 * command line, which is parsed by the program's own parser without being run.
 */
import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { readEnvironment } from "../src/app/env.ts";
import type { CommandGroup } from "../src/cli/command.ts";
import { GLOBAL_ARGS } from "../src/cli/global-flags.ts";
import { parseArgs } from "../src/cli/parse.ts";
import { createRegistry } from "../src/cli/registry.ts";
import { resolve } from "../src/cli/resolve.ts";
import { arityError } from "../src/cli/usage.ts";
import { messageOf } from "../src/lib/errors.ts";
import { type Mention, mentionsIn, shellWords } from "./checks/documents.ts";
import { type Finding, report } from "./checks/finding.ts";

const DOCUMENT = /^(?:[^/]+|(?:docs|\.github)\/.+)\.md$/;
/** Places of the user's machine, not of the checkout. */
const OF_THE_USER = /^(?:~|\/|\$|\.pallium\/|\.claude\/|\.codex\/|dist\/|node_modules\/)/;
const PATH = /^\.?[\w@-][\w@.-]*(?:\/[\w@.-]+)*\/?$/;
const FILE_OR_FOLDER = /\/$|\/[^/]*\.(?:ts|mjs|js|json|md|sh|ya?ml|toml)$/;
const NPM_SCRIPT = /^npm (?:run )?([\w:-]+)/;
const NPM_SHORTHANDS = ["start", "test"];

interface Checkout {
  readonly root: string;
  /** Every file of the checkout, relative to its root. */
  readonly files: readonly string[];
  readonly scripts: readonly string[];
  readonly commands: CommandGroup;
}

type Complaint = string | undefined;

/** A path counts when it is there from the root, from the document, or as the end of a file's path. */
function pathComplaint({ root, files }: Checkout, document: string, text: string): Complaint {
  if (OF_THE_USER.test(text) || !PATH.test(text) || !FILE_OR_FOLDER.test(text)) return undefined;
  const near = posix.join(posix.dirname(document), text);
  if (existsSync(join(root, text)) || existsSync(join(root, near))) return undefined;
  const known = text.endsWith("/")
    ? files.some((file) => `/${dirname(file)}/`.includes(`/${text}`))
    : files.some((file) => file.endsWith(`/${text}`));
  return known ? undefined : `there is no ${text}`;
}

function linkComplaint({ root }: Checkout, document: string, text: string): Complaint {
  if (/^(?:[a-z]+:|#)/i.test(text)) return undefined;
  const target = posix.join(posix.dirname(document), text.replace(/#.*$/, ""));
  return existsSync(join(root, target)) ? undefined : `the link ${text} leads nowhere`;
}

function npmComplaint({ scripts }: Checkout, text: string): Complaint {
  const name = NPM_SCRIPT.exec(text)?.[1];
  if (name === undefined || scripts.includes(name)) return undefined;
  const isScript = text.startsWith("npm run ") || NPM_SHORTHANDS.includes(name);
  return isScript ? `package.json has no script ${name}` : undefined;
}

/** `complete` command lines must have their arguments too; others name a command. */
async function commandComplaint(
  { commands }: Checkout,
  text: string,
  complete: boolean,
): Promise<Complaint> {
  const [name, ...argv] = shellWords(text.replace(/^npx /, ""));
  if (name !== "pallium") return undefined;
  const optional = argv.some((word) => /^\[|^(?:…|\.\.\.)$/.test(word));
  const words = argv.filter((word) => !/^\[|^(?:…|\.\.\.)$/.test(word));
  const { path, node, unknown, words: rest } = resolve(commands, words);
  if (unknown?.startsWith("<")) return undefined;
  if (unknown !== undefined) return `there is no command ${[...path, unknown].join(" ")}`;
  if (node.kind === "group") return undefined;
  const command = await node.load();
  try {
    const args = parseArgs(rest, { ...command.args, ...GLOBAL_ARGS });
    if (!complete || optional || args.flag("help")) return undefined;
    return arityError(path, command, args.rest)?.message;
  } catch (error) {
    return messageOf(error);
  }
}

async function checkDocument(checkout: Checkout, path: string): Promise<readonly Finding[]> {
  const { commands, code, links } = mentionsIn(await Bun.file(join(checkout.root, path)).text());
  const found = ({ line }: Mention, rule: string, message: Complaint): readonly Finding[] =>
    message === undefined ? [] : [{ path, line, rule, message }];
  const paths = [...code, ...commands.flatMap(wordsOf)];
  const lines = await Promise.all([
    ...commands.map(async (one) =>
      found(one, "command", await commandComplaint(checkout, one.text, true)),
    ),
    ...code.map(async (one) =>
      found(one, "command", await commandComplaint(checkout, one.text, false)),
    ),
  ]);
  return [
    ...links.flatMap((one) => found(one, "link", linkComplaint(checkout, path, one.text))),
    ...paths.flatMap((one) => found(one, "path", pathComplaint(checkout, path, one.text))),
    ...[...code, ...commands].flatMap((one) => found(one, "npm", npmComplaint(checkout, one.text))),
    ...lines.flat(),
  ];
}

/** The words of a command line of this checkout's own tools; a user's command names a user's files. */
function wordsOf({ line, text }: Mention): readonly Mention[] {
  return shellWords(text)
    .filter((word) => /^(?:scripts|test|src|docs|workers|\.ci)\//.test(word))
    .map((word) => ({ line, text: word }));
}

function registry(): CommandGroup {
  const environment = readEnvironment();
  const unused = () => Promise.reject(new Error("no command is run here"));
  return createRegistry({
    environment,
    version: { module: "pallium", version: "0", bun: Bun.version, platform: "", executable: "" },
    output: {
      data: unused,
      message: () => {},
      waiting: () => 0,
      readerGone: unused,
      confirm: unused,
      terminal: { size: () => ({ columns: 80, rows: 24 }), onResize: () => () => {} },
    },
    interrupts: { listen: () => () => {} },
    loadBadges: unused,
    createServices: unused,
    outputSchema: unused,
  });
}

/** Checks the documents below `root` against its files and the commands of this program. */
export async function checkDocs(root: string): Promise<readonly Finding[]> {
  const all = new Bun.Glob("**/*").scanSync({ cwd: root, dot: true });
  const files = [...all].filter((path) => !/(?:^|\/)(?:node_modules|\.git|dist)\//.test(path));
  const manifest = await Bun.file(join(root, "package.json")).json();
  const scripts = Object.keys(manifest.scripts ?? {});
  const checkout = { root, files, scripts, commands: registry() };
  const documents = files.filter((path) => DOCUMENT.test(path)).sort();
  const findings = await Promise.all(documents.map((path) => checkDocument(checkout, path)));
  return findings.flat();
}

if (import.meta.main) {
  process.exitCode = report("documents", await checkDocs(join(import.meta.dir, "..")));
}
