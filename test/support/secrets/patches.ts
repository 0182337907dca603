/** One patch, made by git, that puts each sample somewhere else. */
import { testRepository } from "../repository.ts";
import type { SeededSample } from "./corpus.ts";
import { createDraw, type Draw } from "./draw.ts";

/** How a sample comes into its file. */
const PLACES = [
  "new file",
  "added",
  "after a changed line",
  "between hunks",
  "renamed",
  "in place of another",
] as const;

export interface PlacedSample {
  readonly kind: string;
  readonly place: (typeof PLACES)[number];
  /** Path in the patch. */
  readonly file: string;
  /** Lines of the new file that hold the sample, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface SeededPatch {
  readonly patch: string;
  readonly placed: readonly PlacedSample[];
}

interface Change {
  readonly before: string | null;
  readonly after: string;
  /** Lines of `after` before the sample. */
  readonly above: number;
}

/** @param context lines around a change that the patch shows. */
export async function seededPatch(
  samples: readonly SeededSample[],
  seed: number,
  context = 3,
): Promise<SeededPatch> {
  await using repo = await testRepository();
  const draw = createDraw(seed);
  const old: Record<string, string> = { "only-old": "" };
  const now: Record<string, string | null> = { "only-old": null };
  const placed = samples.map(({ kind, file: name, text, secret }, index): PlacedSample => {
    const place = draw.pick(PLACES);
    const file = `${index}/${name}`;
    const { before, after, above } = changeOf(place, { text, secret }, draw);
    if (before !== null) old[place === "renamed" ? `${index}/was/${name}` : file] = before;
    if (place === "renamed") now[`${index}/was/${name}`] = null;
    now[file] = after;
    const lines = text.split("\n").length;
    return { kind, place, file, firstLine: above + 1, lastLine: above + lines };
  });
  await repo.commit("before", old);
  await repo.write(now);
  await repo.git("add", "-A");
  const patch = await repo.git(
    "diff",
    "--cached",
    "-M",
    "--binary",
    "--full-index",
    `-U${context}`,
  );
  return { patch, placed };
}

function changeOf(
  place: PlacedSample["place"],
  { text, secret }: Pick<SeededSample, "text" | "secret">,
  draw: Draw,
): Change {
  const filler = (least: number, most: number) =>
    Array.from({ length: draw.between(least, most) }, () => fillerLine(draw));
  const above = filler(20, 40);
  const below = filler(20, 40);
  const whole = (...parts: (readonly string[])[]) => `${parts.flat().join("\n")}\n`;
  const after = whole(above, [text], below);
  switch (place) {
    case "new file":
      return { before: null, after, above: above.length };
    case "added":
    case "renamed":
      return { before: whole(above, below), after, above: above.length };
    case "after a changed line":
      return {
        before: whole(above.slice(0, -1), ["it was other"], below),
        after,
        above: above.length,
      };
    case "in place of another":
      return { before: whole(above, [otherOf(text, secret)], below), after, above: above.length };
    case "between hunks": {
      const changed = (lines: readonly string[]) => lines.with(10, "it was other");
      return { before: whole(changed(above), changed(below)), after, above: above.length };
    }
  }
}

/** The same with another secret: of a key, what is not random stays. */
function otherOf(text: string, secret: string): string {
  const reverse = (random: string) => [...random].reverse().join("");
  const other = text.replace(/[A-Za-z0-9+/_-]{20,}/g, reverse);
  return other === text ? text.replace(secret, reverse) : other;
}

function fillerLine({ pick, between }: Draw): string {
  const words = [
    "the",
    "list",
    "of",
    "names",
    "is",
    "read",
    "again",
    "when",
    "a",
    "file",
    "moves",
  ] as const;
  return Array.from({ length: between(2, 9) }, () => pick(words)).join(" ");
}
