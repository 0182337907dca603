import { nameOf } from "../../lib/slash-path.ts";

const NAMES =
  /^(?:readme|changelog|changes|history|licen[cs]e|copying|authors|contributors|contributing|code_of_conduct|security|notice|codeowners|\.gitignore|\.gitattributes|\.mailmap|\.editorconfig)(?:\..*)?$/i;
const EXTENSIONS =
  /\.(?:md|mdown|markdown|rst|adoc|asciidoc|txt|org|tex|pdf|docx?|png|jpe?g|gif|svg|webp|ico|bmp|mp4|webm|drawio)$/i;
/** Text files that build or test tools read. */
const READ_BY_TOOLS = /(?:^|\/)(?:CMakeLists\.txt|requirements[^/]*\.txt|constraints[^/]*\.txt)$/;
const TEST_DATA =
  /(?:^|\/)(?:testdata|fixtures?|__fixtures__|__snapshots__|golden|tests?|spec|t)\//;

/** Settings and data: what reads them is tested, not they. */
const SETTINGS = /\.(?:ya?ml|json[5c]?|toml|xml|ini|cfg|conf|properties|lock)$/i;

/** Whether a test of its own is to be expected of a file. */
export function wantsTest(path: string): boolean {
  return !isDocumentation(path) && !SETTINGS.test(path);
}

/** Whether a file is there for people only, so that no test depends on it. */
export function isDocumentation(path: string): boolean {
  if (READ_BY_TOOLS.test(path) || TEST_DATA.test(path)) return false;
  return NAMES.test(nameOf(path)) || EXTENSIONS.test(path);
}
