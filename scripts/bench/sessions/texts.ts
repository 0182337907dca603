/** Texts such as agents and their tools say, drawn from this repository's own source and pages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Random, random } from "../../../test/support/labs/random.ts";
import { seededSamples } from "../../../test/support/secrets/corpus.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const HEX = "0123456789abcdef";
/** One of so many texts holds a secret. */
const SECRETS = 200;

export interface Texts {
  readonly random: Random;
  /** What a user asks. */
  prompt(): string;
  /** What an agent says. */
  prose(): string;
  /** What a tool prints: a file, a log, paths, a failure. */
  output(): string;
  /** A piece of a program, of some lines. */
  code(): string;
  command(): string;
  path(): string;
  hex(length: number): string;
  uuid(): string;
}

export function createTexts(seed: number): Texts {
  const draw = random(seed);
  const paths = filesBelow("src", ".ts");
  const lines = paths.flatMap((path) => readFileSync(join(ROOT, path), "utf8").split("\n"));
  const sentences = [...filesBelow("docs", ".md"), "README.md", "ARCHITECTURE.md"]
    .flatMap((path) => readFileSync(join(ROOT, path), "utf8").split(/(?<=[.:;])\s/))
    .filter((sentence) => sentence.length < 300);
  const secrets = seededSamples(seed, 5).map(({ text }) => text);

  const hex = (length: number) => {
    let text = "";
    while (text.length < length) text += HEX.charAt(draw.below(16));
    return text;
  };
  const path = () => draw.pick(paths);
  /** Most are short, few are long. */
  const length = (most: number) => 1 + Math.floor(most * (draw.below(1000) / 1000) ** 4);
  const several = (count: number, make: () => string, between: string) =>
    Array.from({ length: count }, make).join(between);
  const code = () => {
    const from = draw.below(lines.length);
    return lines.slice(from, from + length(120)).join("\n");
  };
  const logLine = () =>
    `2026-11-${10 + draw.below(20)}T0${draw.below(10)}:1${draw.below(10)}:2${draw.below(10)}.${draw.below(1000)}Z ${draw.pick(["INFO", "WARN", "ERROR"])} [${hex(8)}] ${draw.pick(sentences).slice(0, 90)} took=${draw.below(5000)}ms`;
  const outputs = [
    code,
    code,
    () => several(length(60), logLine, "\n"),
    () => several(length(80), () => `${path()}:${draw.below(400)}:${draw.pick(lines)}`, "\n"),
    () => several(length(60), path, "\n"),
    () => `Exit code 1\nerror: ${draw.pick(sentences)}\n    at ${path()}:${draw.below(300)}:5`,
  ];
  const withSecret = (text: string) =>
    draw.below(SECRETS) === 0 ? `${text}\n${draw.pick(secrets)}` : text;
  return {
    random: draw,
    prompt: () => withSecret(several(1 + draw.below(3), () => draw.pick(sentences), " ")),
    prose: () => several(2 + length(20), () => draw.pick(sentences), " "),
    output: () => withSecret(draw.pick(outputs)()),
    code,
    command: () =>
      draw.pick([
        () => `bun test ${path()}`,
        () => `rg -n "${draw.pick(lines).trim().slice(0, 30)}" ${path()}`,
        () => `git show ${hex(12)} --stat`,
        () => `sed -n ${draw.below(200)},${200 + draw.below(200)}p ${path()}`,
      ])(),
    path,
    hex,
    uuid: () => [8, 4, 4, 4, 12].map(hex).join("-"),
  };
}

function filesBelow(folder: string, extension: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name))
    .sort();
}
