/** What can be done with settings, as operations call it. */
import { basename, resolve } from "node:path";
import { PalliumError } from "../../lib/errors.ts";
import { realPathOfParent } from "../../platform/files.ts";
import type { WorkflowPowers } from "../powers.ts";
import { workflowDepth, workingDirectory } from "../run/request.ts";
import { readRepositorySettings, repositoryOfSettings, repositorySettingsPath } from "./file.ts";
import { parseSettings } from "./parse.ts";
import { invalid, resolveSettings, type Setting, type SettingsReport } from "./resolve.ts";
import { listTrust, readTrust, removeTrust, type Trust, writeTrust } from "./trust.ts";

export interface TrustRequest {
  /** A folder of the repository, or its settings file; where pallium was started without. */
  readonly path?: string;
}

export interface TrustedFile extends Trust {
  /** What the file says, which counts from now on. */
  readonly settings: readonly Pick<Setting, "key" | "value">[];
}

/** A trust, and whether the file is still what was trusted. */
export interface ListedTrust extends Trust {
  readonly state: "trusted" | "changed" | "missing";
}

export interface RevokedTrust {
  readonly path: string;
  readonly revoked: true;
}

export interface SettingsOperations {
  settings(request: { readonly cwd?: string }): Promise<SettingsReport>;
  trust(request: TrustRequest): Promise<TrustedFile>;
  trustList(request: Readonly<Record<string, never>>): Promise<readonly ListedTrust[]>;
  trustRevoke(request: TrustRequest): Promise<RevokedTrust>;
}

export function settingsOperations(powers: WorkflowPowers): SettingsOperations {
  return {
    settings: async ({ cwd }) => resolveSettings(powers, await workingDirectory(powers, cwd)),
    trust: (request) => trustFile(powers, request),
    trustList: async () => Promise.all((await listTrust(powers.home)).map(listed)),
    trustRevoke: (request) => revoke(powers, request),
  };
}

/** @throws PalliumError `settings_not_found`, `settings_invalid`, `trust_refused` */
async function trustFile(powers: WorkflowPowers, request: TrustRequest): Promise<TrustedFile> {
  assertPerson(powers);
  const path = await namedFile(powers, request);
  const content = await readRepositorySettings(path);
  if (content.kind === "missing") {
    throw new PalliumError("settings_not_found", `there are no settings to trust: ${path}`, {
      hints: ["name a folder of the repository whose .pallium/config.json is meant"],
    });
  }
  if (content.kind === "unusable") throw invalid(path, [{ line: 0, message: content.reason }]);
  const { said, faults } = parseSettings(content.text, "repository");
  if (faults.length > 0) throw invalid(path, faults);
  const trust = { path, sha256: content.sha256, trusted_at: powers.clock.iso() };
  await writeTrust(powers.home, trust);
  return { ...trust, settings: said.map(({ key, value }) => ({ key, value })) };
}

/** An agent that could trust what it wrote itself would run what it likes. */
function assertPerson({ environment: { variables } }: WorkflowPowers): void {
  if (workflowDepth(variables) === 0) return;
  throw new PalliumError("trust_refused", "a worker of a workflow cannot trust settings", {
    hints: ["have a person look at them and call pallium trust"],
  });
}

async function revoke(powers: WorkflowPowers, request: TrustRequest): Promise<RevokedTrust> {
  const path = await namedFile(powers, request);
  if ((await readTrust(powers.home, path)) === undefined) {
    throw new PalliumError("settings_not_trusted", `these settings are not trusted: ${path}`, {
      hints: ["see which are: pallium trust list"],
    });
  }
  await removeTrust(powers.home, path);
  return { path, revoked: true };
}

/** The settings file that a request means, which need not be there any more. */
async function namedFile(powers: WorkflowPowers, { path = "." }: TrustRequest): Promise<string> {
  const named = resolve(powers.environment.cwd, path);
  const folder = basename(named) === "config.json" ? repositoryOfSettings(named) : named;
  return (
    (await repositorySettingsPath(folder)) ??
    realPathOfParent(resolve(folder, ".pallium", "config.json"))
  );
}

async function listed(trust: Trust): Promise<ListedTrust> {
  const content = await readRepositorySettings(trust.path);
  if (content.kind === "missing") return { ...trust, state: "missing" };
  const isSame = content.kind === "text" && content.sha256 === trust.sha256;
  return { ...trust, state: isSame ? "trusted" : "changed" };
}
