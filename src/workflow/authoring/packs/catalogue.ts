/** Workflows that come with the program: the data of `workflow library list`. */
import { PalliumError } from "../../../lib/errors.ts";
import { nearMatch } from "../../../lib/near-match.ts";
import { MIGRATION_ASSISTANT } from "./migration-assistant.ts";
import { SECURITY_AUDIT } from "./security-audit.ts";
import { TEST_GAP_FINDER } from "./test-gap-finder.ts";

export interface WorkflowPack {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Name of the saved workflow, unless another is asked for. */
  readonly installs_as: string;
  readonly phases: readonly string[];
}

/** A pack with the script that it installs. */
interface BuiltInPack extends WorkflowPack {
  readonly script: string;
}

const BUILT_IN: readonly BuiltInPack[] = [
  {
    name: "security-audit",
    version: "1.0.0",
    description: "Audits a repository or a change for security problems from four angles.",
    tags: ["security", "review", "parallel"],
    installs_as: "security-audit",
    script: SECURITY_AUDIT,
    phases: ["scope", "audit", "synthesize"],
  },
  {
    name: "migration-assistant",
    version: "1.0.0",
    description:
      "Plans a migration, carries it out in working trees of its own, and fixes until a command succeeds.",
    tags: ["migration", "edit", "verification"],
    installs_as: "migration-assistant",
    script: MIGRATION_ASSISTANT,
    phases: ["scope", "plan", "implement", "verify"],
  },
  {
    name: "test-gap-finder",
    version: "1.0.0",
    description: "Finds what no test would notice, most of all in what changed.",
    tags: ["tests", "coverage", "review"],
    installs_as: "test-gap-finder",
    script: TEST_GAP_FINDER,
    phases: ["scope", "inspect", "report"],
  },
];

export const PACKS: readonly WorkflowPack[] = BUILT_IN.map(({ script: _, ...pack }) => pack);

/** @throws PalliumError `pack_not_found` */
export function packOf(name: string): BuiltInPack {
  const wanted = name.trim();
  const found = BUILT_IN.find((pack) => pack.name === wanted);
  if (found !== undefined) return found;
  const near = nearMatch(
    wanted,
    BUILT_IN.map((pack) => pack.name),
  );
  throw new PalliumError("pack_not_found", `unknown workflow library pack: ${wanted}`, {
    exitCode: 2,
    hints: [
      ...(near === undefined ? [] : [`did you mean ${near}?`]),
      "see them all: pallium workflow library list",
    ],
  });
}
