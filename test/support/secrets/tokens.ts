/** Tokens as their issuers make them: a known form, and random letters put into it here. */
import { BASE32, BASE64, DIGITS, type Draw, HEX, LOWER, UPPER, URL_SAFE } from "./draw.ts";

type Make = (draw: Draw) => string;

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function jwt({ text, pick, between }: Draw): string {
  const algorithm = pick(["HS256", "HS512", "RS256"]);
  const claims = { sub: text(12), iat: between(1_700_000_000, 1_800_000_000), scope: "write" };
  const signature = { HS256: 43, HS512: 86, RS256: 342 }[algorithm] ?? 43;
  return `${encoded({ alg: algorithm, typ: "JWT" })}.${encoded(claims)}.${text(signature, URL_SAFE)}`;
}

/** By issuer, or by kind where an issuer has several. */
export const TOKENS: Readonly<Record<string, Make>> = {
  "OpenAI sk-": ({ text }) => `sk-${text(20)}T3Blbk${"FJ"}${text(20)}`,
  "OpenAI sk-proj-": ({ text, pick }) => {
    const half = pick([20, 58, 74]);
    return `sk-${"proj"}-${text(half, URL_SAFE)}T3Blbk${"FJ"}${text(half, URL_SAFE)}`;
  },
  "OpenAI, other": ({ text, pick }) =>
    `sk-${pick(["svcacct", "admin", "None"])}-${text(58, URL_SAFE)}T3Blbk${"FJ"}${text(58, URL_SAFE)}`,
  "Anthropic sk-ant-": ({ text, pick }) =>
    `sk-${"ant"}-${pick(["api03", "admin01", "oat01"])}-${text(93, URL_SAFE)}AA`,
  OpenRouter: ({ text }) => `sk-${"or"}-v1-${text(64, HEX)}`,
  DeepSeek: ({ text }) => `sk-${text(32, HEX)}`,
  Groq: ({ text }) => `gsk${"_"}${text(52)}`,
  xAI: ({ text }) => `xa${"i-"}${text(80)}`,
  Perplexity: ({ text }) => `pp${"lx-"}${text(48)}`,
  Cerebras: ({ text }) => `cs${"k-"}${text(48)}`,
  "Together AI": ({ text }) => `tgp${"_v1_"}${text(43, URL_SAFE)}`,
  Fireworks: ({ text }) => `fw${"_"}${text(32)}`,
  NVIDIA: ({ text }) => `nv${"api-"}${text(64, URL_SAFE)}`,
  LangSmith: ({ text, pick }) => `lsv2${pick(["_pt_", "_sk_"])}${text(32, HEX)}_${text(10, HEX)}`,
  Replicate: ({ text }) => `r8${"_"}${text(37)}`,
  "Hugging Face": ({ text, pick }) => `${pick(["hf", "api_org"])}${"_"}${text(34, LOWER + UPPER)}`,
  "AWS AKIA": ({ text }) => `AK${"IA"}${text(16, BASE32)}`,
  "AWS ASIA": ({ text }) => `AS${"IA"}${text(16, BASE32)}`,
  "AWS, other": ({ text, pick }) => `${pick(["ABIA", "ACCA"])}${text(16, BASE32)}`,
  "GitHub ghp_": ({ text }) => `gh${"p_"}${text(36)}`,
  "GitHub gho_, ghu_, ghs_, ghr_": ({ text, pick }) =>
    `gh${pick(["o", "u", "s", "r"])}_${text(36)}`,
  "GitHub github_pat_": ({ text }) => `github${"_pat_"}${text(22)}_${text(59)}`,
  "GitLab glpat-": ({ text }) => `glpat${"-"}${text(20, URL_SAFE)}`,
  "GitLab, other": ({ text, pick }) =>
    `gl${pick(["ptt", "rt", "dt", "soat", "ft", "cbt", "agent", "imt", "oas"])}-${text(20, URL_SAFE)}`,
  "Slack xoxb-": ({ text }) => `xox${"b"}-${text(12, DIGITS)}-${text(13, DIGITS)}-${text(24)}`,
  "Slack xoxp-": ({ text }) =>
    `xox${"p"}-${text(12, DIGITS)}-${text(12, DIGITS)}-${text(12, DIGITS)}-${text(32, HEX)}`,
  "Slack xapp-": ({ text }) =>
    `xap${"p"}-1-A${text(10, UPPER + DIGITS)}-${text(13, DIGITS)}-${text(64, HEX)}`,
  "Slack, other": ({ text, pick }) =>
    `xox${pick(["a", "r", "s", "e", "o", "c", "d", "e.xoxp"])}-1-${text(146)}`,
  "Slack webhook": ({ text }) =>
    `https://hooks.slack${".com"}/services/T${text(10, UPPER + DIGITS)}/B${text(10, UPPER + DIGITS)}/${text(24)}`,
  "Discord webhook": ({ text, pick }) =>
    `https://${pick(["discord", "discordapp"])}${".com"}/api/webhooks/${text(18, "123456789")}/${text(68, URL_SAFE)}`,
  "Teams webhook": ({ text }) =>
    `https://acme.webhook.office${".com"}/webhookb2/${uuid(text)}@${uuid(text)}/IncomingWebhook/${text(32, HEX)}/${uuid(text)}`,
  "Google AIza": ({ text }) => `AI${"za"}${text(35, URL_SAFE)}`,
  "Google OAuth client": ({ text }) => `GOC${"SPX"}-${text(28, URL_SAFE)}`,
  "Google OAuth token": ({ text }) => `ya${"29."}a0${text(120, URL_SAFE)}`,
  "Stripe live": ({ text, pick }) => `${pick(["sk", "rk"])}${"_live_"}${text(pick([24, 99]))}`,
  "Stripe test": ({ text, pick }) => `${pick(["sk", "rk"])}${"_test_"}${text(pick([24, 99]))}`,
  "Stripe webhook": ({ text }) => `whsec${"_"}${text(32)}`,
  "Twilio key": ({ text }) => `S${"K"}${text(32, HEX)}`,
  SendGrid: ({ text }) => `S${"G."}${text(22, URL_SAFE)}.${text(43, URL_SAFE)}`,
  Mailgun: ({ text }) => `key${"-"}${text(32, HEX)}`,
  Mailchimp: ({ text, between }) => `${text(32, HEX)}-${"us"}${between(1, 21)}`,
  Telegram: ({ text, pick }) => `8${text(pick([8, 9]), DIGITS)}:A${"A"}${text(33, URL_SAFE)}`,
  npm: ({ text }) => `npm${"_"}${text(36)}`,
  PyPI: ({ text }) => `pypi${"-AgEIcHlwaS5vcmc"}${text(154, URL_SAFE)}`,
  RubyGems: ({ text }) => `rubygems${"_"}${text(48, HEX)}`,
  Docker: ({ text }) => `dckr${"_pat_"}${text(27, URL_SAFE)}`,
  "Azure storage": ({ text, pick }) =>
    pick([
      `DefaultEndpointsProtocol=https;AccountName=${text(12, LOWER)};Account${"Key"}=${text(86, BASE64)}==;EndpointSuffix=core.windows.net`,
      `BlobEndpoint=https://${text(12, LOWER)}.blob.core.windows.net;Account${"Key"}=${text(86, BASE64)}==`,
    ]),
  "Azure Service Bus": ({ text }) =>
    `Endpoint=sb://${text(10, LOWER)}.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccess${"Key"}=${text(43, BASE64)}=`,
  "Azure Cosmos DB": ({ text }) =>
    `AccountEndpoint=https://${text(10, LOWER)}.documents.azure.com:443/;Account${"Key"}=${text(86, BASE64)}==;`,
  "Azure shared access": ({ text }) =>
    `https://${text(10, LOWER)}.blob.core.windows.net/c/f.csv?sv=2024-08-04&se=2027-01-01&sr=b&sp=r&${"sig"}=${text(43)}%3D`,
  "Azure DevOps": ({ text }) => `${text(76)}AZ${"DO"}${text(4)}`,
  "Azure client secret": ({ text }) => `${text(3)}8${"Q~"}${text(34)}`,
  "SQL Server connection": ({ text }) =>
    `Server=tcp:db.acme.io,1433;Database=main;User ID=app;${"Password"}=${text(20)};Encrypt=True;`,
  DigitalOcean: ({ text, pick }) => `${pick(["dop", "doo", "dor"])}${"_v1_"}${text(64, HEX)}`,
  JWT: jwt,
  Shopify: ({ text, pick }) => `shp${pick(["at", "pa", "ca", "ss"])}_${text(32, HEX)}`,
  Grafana: ({ text }) => `gl${"sa_"}${text(32)}_${text(8, HEX)}`,
  Linear: ({ text }) => `lin${"_api_"}${text(40)}`,
  Notion: ({ text }) => `nt${"n_"}${text(11, DIGITS)}${text(35)}`,
  Vault: ({ text, pick }) => `hv${pick(["s", "b"])}.${text(95, URL_SAFE)}`,
  Vercel: ({ text }) => `vc${"p_"}${text(24)}`,
  Figma: ({ text }) => `fi${"gd_"}${text(40, URL_SAFE)}`,
  Cloudflare: ({ text }) => `cf${"ut_"}${text(40)}${text(8, HEX)}`,
  Tailscale: ({ text }) => `tskey${"-auth-"}k${text(12)}CNTRL-${text(32)}`,
  Databricks: ({ text }) => `da${"pi"}${text(32, HEX)}`,
  Postman: ({ text }) => `PM${"AK-"}${text(24, HEX)}-${text(34, HEX)}`,
  Sentry: ({ text, pick }) => `sntr${pick(["ys", "yu"])}_${text(60)}`,
  Atlassian: ({ text, pick }) => `A${pick(["TA", "TC"])}TT3x${text(180, URL_SAFE)}=${text(8, HEX)}`,
  Supabase: ({ text, pick }) => `${pick(["sbp", "sb_secret"])}${"_"}${text(40, HEX)}`,
  Pulumi: ({ text }) => `pu${"l-"}${text(40, HEX)}`,
  Doppler: ({ text, pick }) => `d${pick(["p.pt", "p.st"])}.${text(43)}`,
  PlanetScale: ({ text, pick }) => `pscale${pick(["_tkn_", "_pw_"])}${text(43, URL_SAFE)}`,
  Netlify: ({ text }) => `nf${"p_"}${text(36)}`,
  Heroku: ({ text }) => `HR${"KU-"}${text(60, URL_SAFE)}`,
  "New Relic": ({ text }) => `NR${"AK-"}${text(27, UPPER + DIGITS)}`,
  Terraform: ({ text }) => `${text(14)}.atlas${"v1"}.${text(67, URL_SAFE)}`,
  age: ({ text }) => `AGE-SECRET${"-KEY-1"}${text(58, "023456789ACDEFGHJKLMNPQRSTUVWXYZ")}`,
};

function uuid(text: Draw["text"]): string {
  return [8, 4, 4, 4, 12].map((length) => text(length, HEX)).join("-");
}
