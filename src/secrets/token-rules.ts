/**
 * Tokens that their issuers gave a form. `at` is a piece that every such token has, `back`
 * characters after its beginning; the pattern is tried there.
 */
export interface TokenRule {
  readonly rule: string;
  readonly at: readonly string[];
  readonly back?: number;
  /** Its first group is what must not be a stand-in. */
  readonly pattern: RegExp;
  /**
   * Where the next token of the kind begins, which none has inside: one ends there at the latest.
   * Absent where the pattern bounds the length.
   */
  readonly next?: RegExp;
}

const BASE62 = "[A-Za-z0-9]";
const WORD = "[A-Za-z0-9_-]";

/** @param inside what stands before `at` where it is inside a token. */
function token(rule: string, at: readonly string[], body: string, inside = ""): TokenRule {
  const prefix = `(?:${at.map(RegExp.escape).join("|")})`;
  return {
    rule,
    at,
    pattern: new RegExp(`(?<![A-Za-z0-9])${prefix}(${body})(?![A-Za-z0-9])`, "y"),
    next: new RegExp(`(?<![A-Za-z0-9${inside}])${prefix}`, "g"),
  };
}

/** One whose pattern has `at` in it, and an end. */
function tokenAround(rule: string, at: string, back: number, whole: string): TokenRule {
  const pattern = new RegExp(`(?<![A-Za-z0-9])(${whole})(?![A-Za-z0-9])`, "y");
  return { rule, at: [at], back, pattern };
}

export const TOKEN_RULES: readonly TokenRule[] = [
  token("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], `${WORD}{20,}`),
  token("anthropic-key", ["sk-ant-"], `(?:[a-z]+\\d*-)?${WORD}{20,}`),
  token("openrouter-key", ["sk-or-"], "(?:v1-)?[0-9a-f]{40,}"),
  token("openai-key", ["sk-"], `${BASE62}{32,64}`),
  token("model-provider-key", ["xai-", "pplx-", "csk-", "tgp_v1_", "fw_"], `${WORD}{32,}`),
  token("groq-key", ["gsk_"], `${BASE62}{40,}`),
  token("huggingface-token", ["hf_", "api_org_"], `${BASE62}{30,}`),
  token("replicate-token", ["r8_"], `${BASE62}{36,}`),
  token("nvidia-key", ["nvapi-"], `${WORD}{40,}`),
  token("langsmith-key", ["lsv2_pt_", "lsv2_sk_"], "[0-9a-f]{32}_[0-9a-f]{10}"),
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], `${BASE62}{36,}`),
  token("github-token", ["github_pat_"], "[A-Za-z0-9_]{40,}"),
  token(
    "gitlab-token",
    [
      "glpat-",
      "gldt-",
      "glptt-",
      "glrt-",
      "glcbt-",
      "glsoat-",
      "glft-",
      "glagent-",
      "glimt-",
      "gloas-",
    ],
    "[A-Za-z0-9_.-]{20,}",
  ),
  token(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxo-", "xoxc-", "xoxd-", "xapp-"],
    "[A-Za-z0-9%.-]{20,}",
  ),
  // Has another one inside.
  token("slack-token", ["xoxe."], "[A-Za-z0-9%.-]{20,}"),
  token(
    "slack-webhook",
    ["hooks.slack.com/"],
    "(?:services|workflows|triggers)/[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9/]{16,}",
  ),
  token(
    "discord-webhook",
    ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    `\\d{17,20}/${WORD}{60,}`,
  ),
  token("teams-webhook", ["IncomingWebhook/"], "[0-9a-f]{32}/[0-9a-f-]{36}"),
  token("stripe-key", ["sk_live_", "rk_live_", "sk_test_", "rk_test_"], `${BASE62}{16,}`),
  token("stripe-webhook-secret", ["whsec_"], "[A-Za-z0-9+/=]{24,}"),
  token("npm-token", ["npm_"], `${BASE62}{36}`),
  token("pypi-token", ["pypi-AgE"], `${WORD}{50,}`),
  token("rubygems-key", ["rubygems_"], "[0-9a-f]{48}"),
  token("google-api-key", ["AIza"], `${WORD}{35}`),
  token("google-oauth-secret", ["GOCSPX-"], `${WORD}{28}`),
  token("google-oauth-token", ["ya29."], `${WORD}{40,}`),
  token("aws-access-key", ["AKIA", "ASIA", "ABIA", "ACCA"], "[A-Z2-7]{16}"),
  token("azure-storage-key", ["AccountKey="], "[A-Za-z0-9+/]{86}=="),
  token("azure-access-key", ["SharedAccessKey="], "[A-Za-z0-9+/]{43}="),
  token("azure-shared-access", ["sig="], "(?:[A-Za-z0-9+/]|%2[BbFf]){43}(?:%3[Dd]|=)"),
  tokenAround("azure-client-secret", "Q~", 4, "[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}"),
  tokenAround("azure-devops-token", "AZDO", 76, `${BASE62}{76}AZDO${BASE62}{4}`),
  token("jwt", ["eyJ"], `${WORD}{10,}\\.eyJ${WORD}{10,}\\.${WORD}{20,}`, "."),
  token("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[0-9a-f]{64}"),
  token("sendgrid-key", ["SG."], `${WORD}{20,24}\\.${WORD}{39,50}`),
  token("twilio-key", ["SK"], "[0-9a-f]{32}"),
  token("mailgun-key", ["key-"], "[0-9a-f]{32}"),
  tokenAround("mailchimp-key", "-us", 32, "[0-9a-f]{32}-us\\d{1,2}"),
  tokenAround("telegram-token", ":AA", 10, `\\d{9,10}:AA${WORD}{33}`),
  tokenAround("telegram-token", ":AA", 9, `\\d{8,9}:AA${WORD}{33}`),
  token("atlassian-token", ["ATATT3x", "ATCTT3x"], "[A-Za-z0-9_=-]{60,}"),
  token("supabase-key", ["sbp_", "sb_secret_"], "[A-Za-z0-9_]{30,}"),
  tokenAround("terraform-token", ".atlasv1.", 14, `${BASE62}{14}\\.atlasv1\\.${WORD}{60,}`),
  token("pulumi-token", ["pul-"], "[0-9a-f]{40}"),
  token("doppler-token", ["dp.pt.", "dp.st."], "[A-Za-z0-9._-]{40,}"),
  token("planetscale-token", ["pscale_tkn_", "pscale_pw_"], "[A-Za-z0-9_.-]{32,}"),
  token("postman-key", ["PMAK-"], "[0-9a-f]{24}-[0-9a-f]{34}"),
  token("netlify-token", ["nfp_"], `${BASE62}{36,}`),
  token("newrelic-key", ["NRAK-"], "[A-Z0-9]{27}"),
  token("sentry-token", ["sntrys_", "sntryu_"], "[A-Za-z0-9_+/=]{40,}"),
  token("heroku-key", ["HRKU-"], `${WORD}{30,}`),
  token("vault-token", ["hvs.", "hvb."], `${WORD}{24,}`),
  token("age-key", ["AGE-SECRET-KEY-1"], "[0-9A-Z]{58}"),
];
