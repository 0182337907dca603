/** Parts of a product where a change reaches further than the file: told by words of the path. */
import { isDocumentation } from "../verification/documentation.ts";
import { isTestFile } from "./test-files.ts";

export interface BoundaryWarning {
  /** One of `auth`, `config`, `ci`, `db`, `api`, `payments`, `jobs`. */
  readonly label: string;
  readonly reason: string;
}

interface Boundary {
  readonly label: string;
  /** Whole words of a segment of the path, in lower case. */
  readonly words: ReadonlySet<string>;
  /** Names that say it although no word does. */
  readonly names?: RegExp;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

const CONFIG_NAMES =
  /(?:^|\/)(?:\.env[^/]*|[^/]*\.env|Dockerfile[^/]*|(?:docker-)?compose[^/]*\.ya?ml|[^/]*\.tf|[^/]*\.tfvars)$/;
/** What runs the checks and releases of a project. */
const CI_NAMES =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.+|\.circleci\/.+|\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.ya?ml)$/;
/** Tools of those who write the project, whatever words their paths have. */
const TOOLING = /(?:^|\/)(?:\.github\/|\.circleci\/|\.pre-commit-config\.ya?ml$)/;

const BOUNDARIES: readonly Boundary[] = [
  {
    label: "auth",
    words: words(
      "auth authn authz authenticate authentication authenticator authorize authorization authorizer oauth oidc saml sso jwt login logins logout signin signup signout session sessions token tokens permission permissions password passwords credential credentials rbac acl csrf",
    ),
  },
  {
    label: "config",
    words: words("config configs configuration configurations settings setting tsconfig jsconfig"),
    names: CONFIG_NAMES,
  },
  { label: "ci", words: new Set(), names: CI_NAMES },
  {
    label: "db",
    words: words(
      "db database databases migration migrations migrate schema schemas sql sqlite postgres postgresql mysql supabase prisma",
    ),
  },
  {
    label: "api",
    words: words(
      "api apis route routes router routers routing handler handlers controller controllers endpoint endpoints graphql openapi swagger",
    ),
    names: /\.proto$/,
  },
  {
    label: "payments",
    words: words(
      "payment payments billing invoice invoices stripe subscription subscriptions paypal refund refunds",
    ),
  },
  {
    label: "jobs",
    words: words(
      "job jobs queue queues worker workers cron crontab background scheduler schedulers",
    ),
  },
];

/** In the source of a compiler or editor these words mean something else. */
const LANGUAGE_WORDS = words(
  "lexer lex parser parse parsing scanner syntax ast tokenizer tokenize grammar compiler",
);
/** What lies there is shown or tried out, and served to nobody. */
const NOT_SERVED =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|testdata|mocks?|__mocks__|examples?|samples?|demos?|playgrounds?|docs?|benchmarks?|vendor|third[-_]party|node_modules)\//;
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** The words of a path, split at case, digits and signs, in lower case. */
function pathWords(path: string): readonly string[] {
  return (path.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** The boundaries at which a file itself lies, in a fixed order; tests, examples and documents lie at none. */
export function boundaryLabels(path: string): readonly string[] {
  if (CI_NAMES.test(path)) return ["ci"];
  if (TOOLING.test(path) || isTestFile(path) || isDocumentation(path) || NOT_SERVED.test(path)) {
    return [];
  }
  const found = new Set(pathWords(path));
  if (!found.isDisjointFrom(LANGUAGE_WORDS)) {
    found.delete("token");
    found.delete("tokens");
  }
  return BOUNDARIES.filter(
    ({ words: telling, names }) => !found.isDisjointFrom(telling) || names?.test(path) === true,
  ).map(({ label }) => label);
}

/** One warning for each boundary that some files lie at; it names the first of them. */
export function boundaryWarnings(paths: readonly string[]): readonly BoundaryWarning[] {
  const files = new Map<string, string[]>();
  for (const path of paths) {
    for (const label of boundaryLabels(path)) {
      files.set(label, [...(files.get(label) ?? []), path]);
    }
  }
  return BOUNDARIES.flatMap(({ label }) => {
    const at = files.get(label);
    return at === undefined ? [] : [{ label, reason: reasonFor(at) }];
  });
}

function reasonFor([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
