/** Templates and packs, as lines to read. */
import { oneLine } from "../../lib/one-line.ts";
import type { WorkflowPack } from "../../workflow/authoring/packs/catalogue.ts";
import type { WorkflowTemplate } from "../../workflow/authoring/templates/catalogue.ts";

export function templatesText(templates: readonly WorkflowTemplate[]): string {
  return ["Workflow templates:", ...templates.flatMap(templateLines)].join("\n");
}

export function templateText(template: WorkflowTemplate): string {
  return [
    `Workflow template ${template.name}`,
    template.description,
    ...facts(template),
    `Example: ${template.example}`,
  ].join("\n");
}

export function packsText(packs: readonly WorkflowPack[]): string {
  const lines = packs.map(({ name, version, description }) =>
    [`- ${name} ${oneLine(version)}`, ...(description === "" ? [] : [oneLine(description)])].join(
      ": ",
    ),
  );
  return ["Workflow packs:", ...lines].join("\n");
}

/** @param flags behind its name where it is installed. */
export function packText(pack: WorkflowPack, flags: readonly string[] = []): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}: ${items.map((item) => oneLine(item)).join(", ")}`];
  return [
    `Workflow pack ${pack.name} ${oneLine(pack.version)}`,
    ...(pack.description === "" ? [] : [pack.description]),
    ...list("Tags", pack.tags),
    `Installs as: /${pack.installs_as}`,
    ...list("Phases", pack.phases),
    `Install: ${["pallium workflow library install", pack.name, ...flags].join(" ")}`,
  ].join("\n");
}

function templateLines(template: WorkflowTemplate): readonly string[] {
  return [
    `- ${template.name}: ${template.description}`,
    ...facts(template).map((line) => `  ${line}`),
  ];
}

function facts({ aliases, phases, requires_test_command }: WorkflowTemplate): readonly string[] {
  return [
    ...(aliases === undefined ? [] : [`Aliases: ${aliases.join(", ")}`]),
    `Phases: ${phases.join(", ")}`,
    ...(requires_test_command ? ["Requires --test-command"] : []),
  ];
}
