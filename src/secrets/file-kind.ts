/** What a file's name says of the values in it. */

/** Full of digests, and written by programs: only tokens of a known form count there. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|packages\.lock\.json|project\.assets\.json|go\.(?:work\.)?sum|bun\.lockb?|deno\.lock|[\w.-]*\.lock|[\w-]*-lock\.(?:ya?ml|json)|gradle\.lockfile|verification-metadata\.xml|Package\.resolved|\.terraform\.lock\.hcl|[\w.-]*\.(?:sha\d*|md5|sum))$/i;
const GENERATED = /\.(?:min\.(?:js|css)|map|svg|snap|ipynb|wasm|pb\.go)$/i;
const VENDORED = /(?:^|\/)(?:node_modules|vendor|third_party|\.yarn|bower_components)\//;
const TEST =
  /(?:^|[/_.-])(?:tests?|specs?|__tests__|__mocks__|mocks?|fixtures?|testdata|test-data|stubs?|examples?|samples?|e2e)(?:[/_.-]|$)|(?:Test|Tests|Spec|IT)\.\w+$|(?:^|\/)test[^/]*\.\w+$/;
/** A value stands bare in these; in program text it would be a name. */
const SETTINGS =
  /(?:^|\/)(?:\.env[\w.-]*|[\w.-]*\.env|\.?npmrc|\.netrc|\.pypirc|credentials|config|Dockerfile[\w.-]*)$|\.(?:env|ini|cfg|conf|properties|ya?ml|toml|sh|bash|zsh|tfvars|txt|envrc)$/i;

/** Lines of what agents read and printed, which can be of any file. */
const MIXED = /(?:^|\/)transcript\.jsonl$/;

export interface FileKind {
  /** Assignments of any value to a telling name are not looked at. */
  readonly onlyTokens: boolean;
  /** Passwords that a person could have made up do not count. */
  readonly isTest: boolean;
  readonly isSettings: boolean;
  /** A bare value counts as in settings where its line looks so. */
  readonly isMixed: boolean;
}

export function fileKind(file: string): FileKind {
  return {
    onlyTokens: [LOCK_FILE, GENERATED, VENDORED].some((pattern) => pattern.test(file)),
    isTest: TEST.test(file),
    isSettings: SETTINGS.test(file),
    isMixed: MIXED.test(file),
  };
}
