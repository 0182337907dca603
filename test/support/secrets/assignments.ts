/** Values without a form of their own, under a name that says what they are, in many syntaxes. */
import { BASE64, DIGITS, type Draw, HEX, LOWER, URL_SAFE } from "./draw.ts";
import type { Sample } from "./sample.ts";

/** Words of a name; every syntax joins them as it does. */
const NAMES: readonly [readonly string[], ...(readonly string[])[]] = [
  ["api", "key"],
  ["acme", "api", "key"],
  ["client", "secret"],
  ["auth", "token"],
  ["access", "token"],
  ["secret", "key"],
  ["db", "password"],
  ["signing", "secret"],
  ["webhook", "secret"],
  ["smtp", "password"],
  ["encryption", "key"],
  ["aws", "secret", "access", "key"],
];

const PASSWORDS: typeof NAMES = [
  ["db", "password"],
  ["smtp", "password"],
  ["password"],
  ["admin", "passwd"],
];

function randomValue({ text, pick, between }: Draw): string {
  return pick([
    () => text(between(20, 48)),
    () => text(pick([32, 40, 64]), HEX),
    () => text(40, BASE64),
    () => text(43, URL_SAFE),
    () => text(between(24, 32), LOWER + DIGITS),
  ])();
}

/** Words, mixed up as people do to please a form. */
function chosenPassword({ text, pick, between }: Draw): string {
  const word = pick(["Tr0ub4dor", "C0rrectHorse", "Winter", "p4ssW", "Blaub3ere", "Kn0ckKnock"]);
  return `${word}${pick(["!", "&", "#", "-", "_", "+"])}${text(3)}${between(1, 99)}${pick(["!", "x", "?"])}`;
}

const upper = (words: readonly string[]) => words.join("_").toUpperCase();
const snake = (words: readonly string[]) => words.join("_");
const kebab = (words: readonly string[]) => words.join("-");
const camel = (words: readonly string[]) =>
  words
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");

const pascal = (words: readonly string[]) => camel(["", ...words]);

type Write = (words: readonly string[], value: string) => readonly [file: string, text: string];

const SYNTAXES: Readonly<Record<string, Write>> = {
  ".env": (words, value) => [".env", `${upper(words)}=${value}`],
  ".env, quoted": (words, value) => [".env.local", `${upper(words)}="${value}"`],
  YAML: (words, value) => ["config/app.yaml", `  ${snake(words)}: ${value}`],
  "YAML, quoted": (words, value) => ["config/app.yml", `  ${camel(words)}: '${value}'`],
  JSON: (words, value) => ["config.json", `  "${camel(words)}": "${value}",`],
  TOML: (words, value) => ["config.toml", `${snake(words)} = "${value}"`],
  Python: (words, value) => ["app/settings.py", `${upper(words)} = "${value}"`],
  "Python, dictionary": (words, value) => ["app/client.py", `    '${snake(words)}': '${value}',`],
  "Python, argument": (words, value) => ["app/client.py", `client = C(${snake(words)}="${value}")`],
  JavaScript: (words, value) => ["src/a.js", `const ${camel(words)} = "${value}";`],
  "JavaScript, property": (words, value) => ["src/a.ts", `  ${camel(words)}: \`${value}\`,`],
  "TypeScript, fallback": (words, value) => [
    "src/a.ts",
    `const key = process.env.${upper(words)} ?? "${value}";`,
  ],
  Go: (words, value) => ["main.go", `\t${camel(words)} := "${value}"`],
  "Go, constant": (words, value) => ["main.go", `\t${camel(words)} = \`${value}\``],
  Java: (words, value) => ["A.java", `  private static final String ${upper(words)} = "${value}";`],
  "Java, setter": (words, value) => ["A.java", `  client.set${pascal(words)}("${value}");`],
  "C#": (words, value) => ["A.cs", `    public const string ${camel(words)} = @"${value}";`],
  PHP: (words, value) => ["a.php", `define('${upper(words)}', '${value}');`],
  Ruby: (words, value) => ["a.rb", `  config.${snake(words)} = '${value}'`],
  Rust: (words, value) => ["a.rs", `const ${upper(words)}: &str = "${value}";`],
  Kotlin: (words, value) => ["a.kt", `val ${camel(words)}: String = "${value}"`],
  "shell export": (words, value) => ["deploy.sh", `export ${upper(words)}=${value}`],
  "shell flag": (words, value) => ["deploy.sh", `tool --${kebab(words)} ${value}`],
  INI: (words, value) => ["app.ini", `${snake(words)}=${value}`],
  properties: (words, value) => ["app.properties", `app.${kebab(words)}: ${value}`],
  "Dockerfile ENV": (words, value) => ["Dockerfile", `ENV ${upper(words)}=${value}`],
  "Dockerfile ENV, old": (words, value) => ["Dockerfile", `ENV ${upper(words)} ${value}`],
  Terraform: (words, value) => ["main.tf", `  ${snake(words)} = "${value}"`],
  "Terraform, default": (words, value) => [
    "variables.tf",
    `variable "${snake(words)}" {\n  type    = string\n  default = "${value}"\n}`,
  ],
  "docker-compose": (words, value) => ["docker-compose.yml", `      - ${upper(words)}=${value}`],
  "Kubernetes name and value": (words, value) => [
    "deploy/app.yaml",
    `        - name: ${upper(words)}\n          value: "${value}"`,
  ],
  "JSON name and value": (words, value) => [
    "task.json",
    `    { "name": "${upper(words)}", "value": "${value}" },`,
  ],
  XML: (words, value) => ["app.config", `  <add key="${camel(words)}" value="${value}"/>`],
  "XML element": (words, value) => ["pom.xml", `  <${camel(words)}>${value}</${camel(words)}>`],
  "on the next line": (words, value) => ["src/a.ts", `const ${camel(words)} =\n  "${value}";`],
  "HTTP header": (words, value) => [
    "a.sh",
    `curl -H 'X-${kebab(words)}: ${value}' https://a.acme.io`,
  ],
};

type Make = (draw: Draw) => Sample;

function assigned(write: Write, names: typeof NAMES, value: (draw: Draw) => string): Make {
  return (draw) => {
    const secret = value(draw);
    const [file, text] = write(draw.pick(names), secret);
    return { file, text, secret };
  };
}

export const ASSIGNMENTS: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    Object.entries(SYNTAXES).map(([syntax, write]) => [
      `assignment: ${syntax}`,
      assigned(write, NAMES, randomValue),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SYNTAXES)
      .filter(([syntax]) => !syntax.startsWith("shell flag"))
      .map(([syntax, write]) => [
        `password: ${syntax}`,
        assigned(write, PASSWORDS, chosenPassword),
      ]),
  ),
  "assignment: AWS credentials": assigned(
    (_words, value) => ["credentials", `[default]\naws_secret_access_key = ${value}`],
    NAMES,
    ({ text }) => text(40, BASE64),
  ),
  "assignment: Twilio": assigned(
    (_words, value) => [".env", `TWILIO_AUTH_TOKEN=${value}`],
    NAMES,
    ({ text }) => text(32, HEX),
  ),
  "assignment: .npmrc": assigned(
    (_words, value) => [".npmrc", `//npm.acme.io/:_authToken=${value}`],
    NAMES,
    ({ text }) => text(32, HEX),
  ),
  "assignment: .netrc": assigned(
    (_words, value) => [".netrc", `machine git.acme.io login deploy password ${value}`],
    NAMES,
    ({ text }) => text(20),
  ),
};
