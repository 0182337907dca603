import type { WorkflowTool } from "../../workflow/authoring/tools-catalogue.ts";

export function toolsText(tools: readonly WorkflowTool[]): string {
  if (tools.length === 0) return "No workflow tools found.";
  return tools
    .map(
      ({ name, signature, kind, description, notes }) =>
        `- ${name} ${signature} [${kind}]${isLater(notes) ? " (not in this version)" : ""}: ${description}`,
    )
    .join("\n");
}

function isLater(notes: readonly string[] | undefined): boolean {
  return notes?.some((note) => note.startsWith("Not in this version")) ?? false;
}
