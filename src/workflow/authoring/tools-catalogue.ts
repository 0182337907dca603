export interface WorkflowTool { readonly name: string; readonly signature: string; readonly kind: string; readonly description: string; readonly returns: string; readonly example: string; readonly notes?: readonly string[] }
export const TOOLS: readonly WorkflowTool[] = [];
