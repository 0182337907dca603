import type { Finding } from "./finding.ts";
import type { ModuleGraph } from "./graph.ts";
import { lineAt, type SourceFile } from "./source.ts";

/** The house from top to bottom; a file imports from its own module and from lower layers. */
const LAYERS: readonly (readonly string[])[] = [
  ["src/main.ts"],
  ["src/app"],
  ["src/cli", "src/server"],
  ["src/operations"],
  ["src/workflow", "src/console", "src/sessions", "src/repo"],
  ["src/providers", "src/secrets"],
  ["src/platform"],
  ["src/lib"],
];
const SIDEWAYS: readonly string[] = ["src/workflow -> src/repo"];
/** Built into the program by `src/app`: its version, and the script that tries it. */
const BUILT_IN = ["package.json", "scripts/workflow-acceptance.sh"];
const WORKERS_MAY_IMPORT = ["workers/", "src/lib/", "src/workflow/engine/protocol.ts"];
/** The workers that run a domain of ours. */
const DOMAIN_WORKERS_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "workers/repo/": [
    "src/lib/",
    "src/workflow/engine/repo-protocol.ts",
    "src/repo/",
    "src/platform/",
  ],
  "workers/sessions/": ["src/lib/", "src/sessions/", "src/secrets/", "src/platform/"],
};

interface Place {
  readonly module: string;
  readonly layer: number;
}

function placeOf(path: string): Place | undefined {
  for (const [layer, modules] of LAYERS.entries()) {
    const module = modules.find((name) => path === name || path.startsWith(`${name}/`));
    if (module !== undefined) return { module, layer };
  }
  return undefined;
}

function complaint(from: string, to: string): string | undefined {
  if (from.startsWith("workers/")) {
    const own = Object.keys(DOMAIN_WORKERS_MAY_IMPORT).find((folder) => from.startsWith(folder));
    const domain = own === undefined ? undefined : DOMAIN_WORKERS_MAY_IMPORT[own];
    const allowed =
      own === undefined || domain === undefined ? WORKERS_MAY_IMPORT : [own, ...domain];
    if (allowed.some((prefix) => to.startsWith(prefix))) return undefined;
    return `${own ?? "workers"} may import ${allowed.join(", ")} only`;
  }
  if (from.startsWith("src/sdk/")) {
    const allowed = to.startsWith("src/sdk/") || to.startsWith("src/operations/");
    return allowed ? undefined : "the client library may import types of src/operations only";
  }
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source === undefined) return `${from} belongs to no layer`;
  if (source.module === "src/app" && BUILT_IN.includes(to)) return undefined;
  if (target === undefined) return `${to} belongs to no layer below ${source.module}`;
  if (source.module === target.module || source.layer < target.layer) return undefined;
  const step = `${source.module} -> ${target.module}`;
  if (SIDEWAYS.includes(step)) return undefined;
  const direction = source.layer === target.layer ? "sideways" : "up";
  return `${step} points ${direction}; layers point down only`;
}

/** Finds imports that the layers do not allow, type-only and dynamic ones included. */
export function checkLayers(files: readonly SourceFile[], graph: ModuleGraph): readonly Finding[] {
  return files.flatMap(({ path, text }) =>
    graph.edges(path).flatMap(({ to, imported }) => {
      const message = complaint(path, to);
      if (message === undefined) return [];
      return [{ path, line: lineAt(text, imported.offset), rule: "layer", message }];
    }),
  );
}
