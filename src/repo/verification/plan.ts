/**
 * Which commands verify a change. Pure: everything it looks at is in its input. Every ecosystem
 * that has a part in the change has its commands in the plan, none is cut off by a limit.
 */
import { PalliumError, usageError } from "../../lib/errors.ts";
import { below } from "../../lib/slash-path.ts";
import { canBeArgument } from "./arguments.ts";
import { deno } from "./deno.ts";
import { isDocumentation } from "./documentation.ts";
import { dotnet } from "./dotnet.ts";
import type { Ecosystem, Work } from "./ecosystem.ts";
import { go } from "./go.ts";
import { gradle } from "./gradle.ts";
import { javascript } from "./javascript.ts";
import { maven } from "./maven.ts";
import { cmake, meson } from "./native.ts";
import { php } from "./php.ts";
import { createProjectTree, nearest, type ProjectTree } from "./project-tree.ts";
import { distinct, filledUp, joinPlans } from "./projects.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { scriptTests } from "./script-tests.ts";
import { planTaskRunners, withoutRecursion } from "./task-runners.ts";
import type { Plan, PlanInput, PlannedCommand, Tier } from "./types.ts";
import { TIERS } from "./types.ts";

const ECOSYSTEMS: readonly Ecosystem[] = [
  go,
  javascript,
  deno,
  python,
  rust,
  gradle,
  maven,
  dotnet,
  ruby,
  php,
  cmake,
  meson,
  scriptTests,
];

/** Folders whose manifests are data of tests, or somebody else's. */
const NOT_OURS =
  /(?:^|\/)(?:testdata|tests?|t|spec|fixtures?|examples?|benchmarks?|docs?|contrib|deps|extern(?:al)?|vendor(?:ed)?|third[_-]?party|node_modules)(?:\/|$)/;

/**
 * Plans the verification of some files. Files that only document, such as a README, ask for
 * nothing by themselves; other files that are no source, such as settings, ask for the tests of
 * the project that holds them.
 */
export function planVerification(input: PlanInput): Plan {
  const tree = createProjectTree(input);
  const targets = input.targets.length > 0 ? input.targets : topProjectFiles(tree);
  const relevant = targets.filter((path) => !isDocumentation(path) && canBeArgument(path));
  const tests = input.tests.filter((path) => tree.has(path) && canBeArgument(path));

  const shares = ECOSYSTEMS.map((ecosystem) => shareOf(ecosystem, relevant, tests, tree))
    .filter(({ files }) => files.length > 0)
    .sort((a, b) => rank(a, relevant) - rank(b, relevant));
  const plans = shares.map(({ ecosystem, work }) => filledUp(ecosystem.plan(work, tree)));
  const tested = new Set(
    shares.flatMap(({ files }, at) => ((plans[at]?.safe.length ?? 0) > 0 ? files : [])),
  );
  const asked = [...new Set([...relevant, ...tests])];
  const untested = asked.filter((path) => !tested.has(path));
  const inferred = joinPlans([
    ...plans,
    planTaskRunners(relevant.length > 0 ? relevant : tests, untested, tree),
  ]);
  const once = (tier: Tier) => withoutRecursion(inferred[tier], tree);
  return { fast: once("fast"), safe: once("safe"), full: once("full"), ...input.settings };
}

interface Share {
  readonly ecosystem: Ecosystem;
  readonly work: Work;
  /** All files of the work. */
  readonly files: readonly string[];
}

function shareOf(
  ecosystem: Ecosystem,
  targets: readonly string[],
  tests: readonly string[],
  tree: ProjectTree,
): Share {
  const owns = (path: string) => ecosystem.owns(path, tree);
  const work = {
    sources: targets.filter(owns),
    tests: tests.filter(owns),
    others: targets.filter((path) => {
      return !isOwned(path, tree) && projectOf(path, tree).some((one) => one === ecosystem);
    }),
  };
  return { ecosystem, work, files: [...work.sources, ...work.tests, ...work.others] };
}

function isOwned(path: string, tree: ProjectTree): boolean {
  return ECOSYSTEMS.some((ecosystem) => ecosystem.owns(path, tree));
}

/** The ecosystems of the nearest project that holds a file. */
function projectOf(path: string, tree: ProjectTree): readonly Ecosystem[] {
  const holders = (folder: string) => {
    const names = tree.manifestsIn(folder);
    return ECOSYSTEMS.filter((one) => names.some((name) => one.isProjectFile(name)));
  };
  const folder = nearest(path, (one) => holders(one).length > 0);
  return folder === undefined ? [] : holders(folder);
}

/** Where the first file of a share stands among the targets. */
function rank({ files }: Share, targets: readonly string[]): number {
  const places = files.map((path) => targets.indexOf(path)).filter((place) => place !== -1);
  return places.length === 0 ? targets.length : Math.min(...places);
}

/** Project files of the topmost projects of each ecosystem, and what else lies at the root. */
function topProjectFiles(tree: ProjectTree): readonly string[] {
  const tops = ECOSYSTEMS.flatMap((ecosystem) => topmostOf(ecosystem, tree));
  return [...new Set([...tops, ...filesIn("", tree)])];
}

function topmostOf(ecosystem: Ecosystem, tree: ProjectTree): readonly string[] {
  const folders: string[] = [];
  const files: string[] = [];
  for (const folder of tree.folders) {
    if (NOT_OURS.test(folder) || folders.some((top) => isAtOrBelow(folder, top))) continue;
    const own = tree.manifestsIn(folder).filter((name) => ecosystem.isProjectFile(name));
    if (own.length > 0) folders.push(folder);
    files.push(...own.map((name) => below(folder, name)));
  }
  return files;
}

function isAtOrBelow(folder: string, top: string): boolean {
  return top === "" || folder === top || folder.startsWith(`${top}/`);
}

function filesIn(folder: string, tree: ProjectTree): readonly string[] {
  return tree.manifestsIn(folder).map((name) => below(folder, name));
}

/** The commands of a plan, each once, the narrow ones first: what reports list as test commands. */
export function testCommands({ fast, safe, full }: Plan): readonly PlannedCommand[] {
  return distinct([...fast, ...safe, ...full]);
}

/** @throws PalliumError `usage` for what is no tier. */
export function tierOf(text: string): Tier {
  const tier = TIERS.find((one) => one === text.trim().toLowerCase());
  if (tier !== undefined) return tier;
  throw usageError(`invalid verification tier "${text}": use fast, safe, or full`);
}

/**
 * The commands of one tier.
 * @throws PalliumError `no_verification_command` where it has none.
 */
export function commandsOfTier(plan: Plan, tier: Tier): readonly PlannedCommand[] {
  const commands = plan[tier];
  if (commands.length > 0) return commands;
  const other = TIERS.find((one) => plan[one].length > 0);
  throw new PalliumError("no_verification_command", `no ${tier} verification command inferred`, {
    hints: [
      other === undefined
        ? "no build file that pallium knows says how the changed files are tested; run their tests by hand"
        : `there are commands for another tier: pallium verify ${other}`,
    ],
  });
}
