import type { WorkflowTool } from "../../workflow/authoring/tools-catalogue.ts";

export function toolsText(tools: readonly WorkflowTool[]): string {
  if (tools.length === 0) return "No workflow tools found.";
  return tools
    .map(
      ({ name, signature, kind, description }) =>
        `- ${name} ${signature} [${kind}]: ${description}`,
    )
    .join("\n");
}
