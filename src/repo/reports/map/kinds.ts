/** What files are for, told by their paths. */
import { fileKind } from "../../../secrets/file-kind.ts";
import { isTestFile } from "../../analysis/test-files.ts";
import { isDocumentation } from "../../verification/documentation.ts";

/** `other`: documents, data, settings, and what programs wrote. */
export type MapKind = "code" | "test" | "other";

/** Tests, what they read, and what shows how a thing is used. */
const TEST_MATERIAL =
  /(?:^|\/)(?:tests?|t|specs?|e2e|__tests__|__mocks__|__fixtures__|fixtures?|testdata|test[-_]data|examples?|samples?|demos?)\//i;
const GENERATED = /(?:^|[/._-])(?:auto)?generated(?:[/._-]|$)/i;
const DATA =
  /\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|xml|xsd|csv|tsv|pot?|properties|lock|sum|mod|patch|diff|plist|pem)$/i;
/** Settings of tools: `.gitignore`, `.eslintrc`. */
const DOT_FILE = /(?:^|\/)\.[^/]*$/;

/** A test by its name is one wherever it lies; what stands beside tests counts as test too, unless it is data. */
export function kindOf(path: string): MapKind {
  if (isTestFile(path)) return "test";
  if (isDocumentation(path) || fileKind(path).onlyTokens) return "other";
  if ([GENERATED, DATA, DOT_FILE].some((pattern) => pattern.test(path))) return "other";
  return TEST_MATERIAL.test(path) ? "test" : "code";
}
