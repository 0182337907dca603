export type ToolKind = "control" | "agent" | "verification" | "pallium";

export interface WorkflowTool {
  readonly name: string;
  readonly signature: string;
  readonly kind: ToolKind;
  readonly description: string;
  readonly returns: string;
  /** Valid script text. */
  readonly example: string;
  readonly notes?: readonly string[];
}

/** The note of every tool whose name is kept for a later version. */
export const LATER = "Not in this version: calling it fails with code not_in_this_version.";
