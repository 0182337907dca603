/** What the workflow domain offers to those who write workflows. */
import { resolve } from "node:path";
import type { RunObserver, WorkflowPowers } from "../powers.ts";
import { readScriptText } from "../run/request.ts";
import { type ScriptReport, validateScript } from "../script/validate.ts";
import type { StoreRequest, WithStore } from "../with-store.ts";
import { type GeneratedWorkflow, type GenerateRequest, generateWorkflow } from "./generate.ts";
import {
  type InstalledPack,
  type InstallRequest,
  installPack,
  type LibraryRequest,
  listPacks,
  type PackRequest,
  showPack,
} from "./library.ts";
import type { WorkflowPack } from "./packs/catalogue.ts";
import { type SaveRequest, saveRun } from "./save-run.ts";
import { TEMPLATES, templateOf, type WorkflowTemplate } from "./templates/catalogue.ts";
import { TOOLS, type WorkflowTool } from "./tools-catalogue.ts";
import { type TypesRequest, type WrittenTypes, writeTypes } from "./types/write-types.ts";

/** The request of what always answers the same. */
export type NothingAsked = Readonly<Record<string, never>>;

export interface AuthoringOperations {
  validate(request: { readonly path: string }): Promise<ScriptReport>;
  tools(request: { readonly kind?: string }): readonly WorkflowTool[];
  /** TypeScript declarations of what scripts can call. */
  types(request: TypesRequest): Promise<WrittenTypes>;
  generate(request: GenerateRequest, observer: RunObserver): Promise<GeneratedWorkflow>;
  /** Copies the script of a run to where saved workflows are. */
  save(request: StoreRequest & SaveRequest): Promise<{ readonly path: string }>;
  templateList(request: NothingAsked): readonly WorkflowTemplate[];
  templateShow(request: { readonly name: string }): WorkflowTemplate;
  libraryList(request: LibraryRequest, observer: RunObserver): Promise<readonly WorkflowPack[]>;
  libraryShow(request: PackRequest, observer: RunObserver): Promise<WorkflowPack>;
  libraryInstall(request: InstallRequest, observer: RunObserver): Promise<InstalledPack>;
}

export function authoringOperations(
  powers: WorkflowPowers,
  withStore: WithStore,
): AuthoringOperations {
  return {
    validate: async ({ path }) => {
      const file = resolve(powers.environment.cwd, path);
      return validateScript(await readScriptText(file), path);
    },
    tools: ({ kind }) => TOOLS.filter((tool) => kind === undefined || tool.kind === kind),
    types: (request) => writeTypes(powers, request),
    generate: (request, observer) => generateWorkflow(powers, request, observer),
    save: ({ db, ...request }) => withStore(db, (database) => saveRun(powers, database, request)),
    templateList: () => TEMPLATES,
    templateShow: ({ name }) => templateOf(name),
    libraryList: (request, observer) => listPacks(powers, observer, request),
    libraryShow: (request, observer) => showPack(powers, observer, request),
    libraryInstall: (request, observer) => installPack(powers, observer, request),
  };
}
