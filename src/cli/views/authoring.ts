/** Templates and packs, as lines to read. */
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
  const lines = packs.map(
    ({ name, version, description }) => `- ${name} ${version}: ${description}`,
  );
  return ["Workflow packs:", ...lines].join("\n");
}

export function packText(pack: WorkflowPack): string {
  return [
    `Workflow pack ${pack.name} ${pack.version}`,
    pack.description,
    `Tags: ${pack.tags.join(", ")}`,
    `Installs as: /${pack.installs_as}`,
    `Phases: ${pack.phases.join(", ")}`,
    `Install: pallium workflow library install ${pack.name}`,
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
