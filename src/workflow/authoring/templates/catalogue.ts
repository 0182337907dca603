/** The styles that `workflow generate` knows: the data of `workflow template list`. */
import { PalliumError } from "../../../lib/errors.ts";
import { nearMatch } from "../../../lib/near-match.ts";
import { researchScript } from "./research.ts";
import { reviewScript } from "./review.ts";
import { testFixScript } from "./test-fix.ts";

export interface WorkflowTemplate {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What `--style` is called. */
  readonly style: string;
  readonly description: string;
  readonly phases: readonly string[];
  readonly requires_test_command?: boolean;
  /** A command line. */
  readonly example: string;
}

export interface ScriptWish {
  readonly task: string;
  /** Empty for the default of a style that needs one. */
  readonly testCommand: string;
  /** Below 1 for the default. */
  readonly maxRounds: number;
}

const DEFAULT_COMMAND = "pallium verify fast";
const DEFAULT_ROUNDS = 3;

export const TEMPLATES: readonly WorkflowTemplate[] = [
  {
    name: "review",
    style: "review",
    description:
      "Agents review from several angles, grounded in what the repository knows of itself; one puts their findings together.",
    phases: ["scope", "inspect", "synthesize"],
    example: 'pallium workflow generate "review this branch" --style review --save branch-review',
  },
  {
    name: "test-fix",
    aliases: ["fix-until-green"],
    style: "test-fix",
    description: "Agents fix until a command succeeds; its exit status decides, not the model.",
    phases: ["scope", "baseline", "fix-loop", "finalize"],
    requires_test_command: true,
    example: 'pallium workflow generate "make the tests pass" --test-command "npm test" --save fix',
  },
  {
    name: "research",
    style: "research",
    description:
      "Agents research from several angles; one checks their claims against each other and their sources.",
    phases: ["research", "verify", "synthesize"],
    example: 'pallium workflow generate "how is auth done here" --style research --save auth',
  },
];

/**
 * A template by its name, style or alias.
 * @throws PalliumError `template_not_found`
 */
export function templateOf(name: string): WorkflowTemplate {
  const wanted = name.trim();
  const found = TEMPLATES.find((template) => namesOf(template).includes(wanted));
  if (found !== undefined) return found;
  const known = TEMPLATES.map((template) => template.name);
  throw new PalliumError(
    "template_not_found",
    `unknown workflow template "${wanted}"; available templates: [${known.join(" ")}]`,
    { exitCode: 2, hints: nearHints(wanted) },
  );
}

/**
 * The template of a style; `auto` and nothing are `test-fix` where there is a test command, else `review`.
 * @throws PalliumError `style_unknown`
 */
export function templateOfStyle(style: string, testCommand: string): WorkflowTemplate {
  const wanted = style.trim();
  if (wanted === "" || wanted === "auto") {
    return templateOf(testCommand.trim() === "" ? "review" : "test-fix");
  }
  const found = TEMPLATES.find((template) => namesOf(template).includes(wanted));
  if (found !== undefined) return found;
  throw new PalliumError("style_unknown", `unknown workflow style "${wanted}"`, {
    exitCode: 2,
    hints: nearHints(wanted),
  });
}

/** The script of a template for a task. */
export function templateScript({ name }: WorkflowTemplate, wish: ScriptWish): string {
  const { task, testCommand, maxRounds } = wish;
  if (name === "research") return researchScript(task);
  if (name === "review") return reviewScript(task);
  return testFixScript({
    task,
    command: testCommand.trim() || DEFAULT_COMMAND,
    maxRounds: maxRounds < 1 ? DEFAULT_ROUNDS : maxRounds,
  });
}

function namesOf({ name, style, aliases = [] }: WorkflowTemplate): readonly string[] {
  return [name, style, ...aliases];
}

function nearHints(wanted: string): readonly string[] {
  const near = nearMatch(wanted, TEMPLATES.flatMap(namesOf));
  return [
    ...(near === undefined ? [] : [`did you mean ${near}?`]),
    "see them all: pallium workflow template list",
  ];
}
