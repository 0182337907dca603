/** Secrets that never were: pieces of known forms and random ones, put together here. */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const BASE62 = `${LOWER}${UPPER}${DIGITS}`;
const HEX = `${DIGITS}abcdef`;

/** Texts that are as good as random, and the same for the same seed. */
export function seededTexts(seed: number): (length: number, alphabet?: string) => string {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (length, alphabet = BASE62) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
}

export interface SeededSecret {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  /** What must not leave the scanner. */
  readonly secret: string;
}

function pem(kind: string, body: string, end: boolean): string {
  const lines = body.match(/.{1,64}/g) ?? [];
  const marks = (word: string) => `-----${word} ${kind}PRIVATE ${"KEY"}-----`;
  return [marks("BEGIN"), ...lines, ...(end ? [marks("END")] : [])].join("\n");
}

/** One of each kind. */
export function seededSecrets(seed: number): readonly SeededSecret[] {
  const random = seededTexts(seed);
  const base64 = (length: number) => random(length, `${BASE62}+/`);
  const url = (length: number) => random(length, `${BASE62}_-`);
  const tokens: Record<string, string> = {
    "openai project": `sk-${"proj"}-${url(74)}T3Blbk${"FJ"}${url(74)}`,
    "openai project, short": `sk-${"proj"}-${url(48)}`,
    "openai old": `sk-${random(48)}`,
    anthropic: `sk-${"ant"}-api03-${url(93)}AA`,
    openrouter: `sk-${"or"}-v1-${random(64, HEX)}`,
    deepseek: `sk-${random(32, HEX)}`,
    groq: `gsk${"_"}${random(52)}`,
    "hugging face": `hf${"_"}${random(34, LOWER + UPPER)}`,
    github: `ghp${"_"}${random(36)}`,
    "github, fine-grained": `github${"_pat_"}${random(22)}_${random(59)}`,
    gitlab: `glpat${"-"}${url(20)}`,
    "gitlab runner": `glrt${"-"}${url(20)}`,
    "slack bot": `xox${"b"}-${random(12, DIGITS)}-${random(13, DIGITS)}-${random(24)}`,
    "slack webhook": `https://hooks.slack${".com"}/services/T${random(8, UPPER + DIGITS)}/B${random(8, UPPER + DIGITS)}/${random(24)}`,
    "stripe live": `sk${"_live_"}${random(24)}`,
    "stripe test": `rk${"_test_"}${random(24)}`,
    npm: `npm${"_"}${random(36)}`,
    pypi: `pypi${"-AgEIcHlwaS5vcmc"}${url(120)}`,
    "google api": `AI${"za"}${url(35)}`,
    "google client": `GOC${"SPX"}-${url(28)}`,
    "aws id": `AK${"IA"}${random(16, `${UPPER}234567`)}`,
    "azure storage": `DefaultEndpointsProtocol=https;AccountName=acct;Account${"Key"}=${base64(86)}==;EndpointSuffix=core.windows.net`,
    "azure client": `${random(3)}8${"Q~"}${random(34)}`,
    jwt: `ey${"J"}hbGciOiJIUzI1NiJ9.ey${"J"}${random(60)}.${url(43)}`,
    digitalocean: `dop${"_v1_"}${random(64, HEX)}`,
    sendgrid: `S${"G."}${url(22)}.${url(43)}`,
    telegram: `8${random(9, DIGITS)}:A${"A"}${url(33)}`,
    shopify: `shp${"at_"}${random(32)}`,
    grafana: `gl${"sa_"}${random(32)}_${random(8, HEX)}`,
    linear: `lin${"_api_"}${random(40)}`,
    notion: `nt${"n_"}${random(11, DIGITS)}${random(35)}`,
    vault: `hv${"s."}${url(95)}`,
    vercel: `vc${"p_"}${random(24)}`,
    docker: `dckr${"_pat_"}${url(27)}`,
    figma: `fi${"gd_"}${url(40)}`,
    cloudflare: `cf${"ut_"}${random(40)}${random(8, HEX)}`,
    tailscale: `tskey${"-auth-"}k${random(12)}CNTRL-${random(32)}`,
    mongodb: `mongodb${"+srv://"}app:${random(18)}@cluster.acme.io/main`,
    mysql: `mysql${"://"}app:${random(18)}@db.acme.io:3306/main`,
    databricks: `da${"pi"}${random(32, HEX)}`,
  };
  const formed = Object.entries(tokens).map(([what, secret]) => ({
    what,
    file: "src/client.ts",
    text: `const value = call("${secret}");\n`,
    secret,
  }));
  const rsa = `MI${"I"}${base64(1600)}`;
  const openssh = `b3BlbnNzaC1rZXktdjEAAAAA${base64(300)}`;
  const named = (what: string, file: string, before: string, secret: string, after = "") => ({
    what,
    file,
    text: `${before}${secret}${after}\n`,
    secret,
  });
  return [
    ...formed,
    named("aws secret", ".env", "AWS_SECRET_ACCESS_KEY=", base64(40)),
    named("hex secret", "settings.py", 'SECRET_KEY = "', random(64, HEX), '"'),
    named("yaml", "deploy/values.yaml", "  apiKey: ", random(40)),
    named("typed", "src/a.ts", 'const apiToken: string = "', random(32), '";'),
    named("go", "main.go", 'authToken := "', random(32), '"'),
    named("java", "A.java", 'private static final String CLIENT_SECRET = "', random(40), '";'),
    named("ruby hash", "a.rb", ":secret => '", random(40), "'"),
    named("call", "a.go", 'os.Setenv("API_KEY", "', random(32), '")'),
    named("header", "a.sh", "curl -H 'Authorization: Bearer ", random(40), "'"),
    named("flag", "a.sh", "tool --token=", random(40)),
    named("json", "config.json", '{"clientSecret": "', random(40), '"}'),
    named("xml", "app.config", '<add key="ApiKey" value="', random(40), '"/>'),
    named("password", "src/db.ts", 'password: "', `Tr0ub4dor&${random(3)}9x`, '",'),
    named("bare password", ".env", "DB_PASSWORD=", `p4ss&W${random(6)}1`),
    named(
      "database",
      "a.ts",
      'connect("postgres://app:',
      `${random(16)}1a`,
      '@db.prod.acme.io/main")',
    ),
    named("basic auth", "a.ts", 'get("https://deploy:', random(20), '@git.acme.io/x.git")'),
    named("rsa", "key.pem", "", pem("RSA ", rsa, true)),
    named("pkcs8", "key.pem", "", pem("", rsa, true)),
    named("openssh", "id", "", pem("OPENSSH ", openssh, true)),
    named("key without its end", "key.txt", "", pem("EC ", base64(128), false)),
    named(
      "key in JSON",
      "sa.json",
      '{"private_key": "',
      pem("", rsa, true).replaceAll("\n", "\\n"),
      '"}',
    ),
    named(
      "key in program text",
      "a.ts",
      'const k = "',
      pem("RSA ", rsa, true).replaceAll("\n", '\\n" +\n  "'),
      '";',
    ),
    named(
      "key in base64",
      "secret.yaml",
      "  tls.key: ",
      Buffer.from(pem("RSA ", rsa, true)).toString("base64"),
    ),
    named(
      "encrypted key",
      "key.pem",
      "",
      pem("RSA ", rsa, true).replace(
        "\n",
        "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C\n\n",
      ),
    ),
  ];
}
