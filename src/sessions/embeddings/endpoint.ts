/** Where vectors are made: which address, which key, which model, as variables of the environment say. */
import { PalliumError } from "../../lib/errors.ts";
import type { EmbeddingSpace } from "./spaces.ts";

type Variables = Readonly<Record<string, string>>;

export interface EmbeddingEndpoint {
  /** A name for the space; free text. */
  readonly provider: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Sent as a bearer token; absent where none is meant for this address. */
  readonly key?: string;
  /** Whether what is sent stays on this computer. */
  readonly isLocal: boolean;
  /** Whether a variable of pallium's own names it, and no one set it for other programs. */
  readonly isChosen: boolean;
}

const OPENAI = "openai";
const OPENAI_URL = "https://api.openai.com/v1";
const OLLAMA_URL = "http://localhost:11434/v1";
const USUAL_MODEL = "text-embedding-3-small";
const LOCAL_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * A key of OpenAI's goes to OpenAI, or to the address in `OPENAI_BASE_URL`, and nowhere else.
 * @throws PalliumError `embeddings_not_configured` where an address is none.
 */
export function embeddingEndpoint(variables: Variables): EmbeddingEndpoint {
  const provider = variables.PALLIUM_EMBED_PROVIDER?.trim() || OPENAI;
  const own = variables.PALLIUM_EMBED_BASE_URL?.trim();
  const url = parseAddress(own || usualAddress(provider, variables));
  const key =
    variables.PALLIUM_EMBED_API_KEY ||
    (provider === OPENAI && mayHaveOpenAiKey(url, variables)
      ? variables.OPENAI_API_KEY || variables.OPENAI_ADMIN_API_KEY
      : undefined);
  return {
    provider,
    baseUrl: url.href.replace(/\/+$/, ""),
    ...(key ? { key } : {}),
    isLocal: LOCAL_HOST.test(url.hostname),
    isChosen: Boolean(own || variables.PALLIUM_EMBED_API_KEY),
  };
}

/** Names the space of the vectors: `PALLIUM_EMBED_PROVIDER`, and the model asked for. */
export function embeddingSpace(variables: Variables, model?: string): EmbeddingSpace {
  return {
    provider: variables.PALLIUM_EMBED_PROVIDER?.trim() || OPENAI,
    model: model?.trim() || variables.PALLIUM_EMBED_MODEL?.trim() || USUAL_MODEL,
  };
}

/** @throws PalliumError `embeddings_not_configured` where OpenAI would be asked without a key. */
export function requireKey({ baseUrl, key }: EmbeddingEndpoint): void {
  if (key !== undefined || new URL(baseUrl).origin !== new URL(OPENAI_URL).origin) return;
  throw new PalliumError(
    "embeddings_not_configured",
    "vectors of texts are made by a model, and none is set up: OPENAI_API_KEY or PALLIUM_EMBED_API_KEY is missing",
    {
      hints: [
        "set OPENAI_API_KEY for OpenAI's, or PALLIUM_EMBED_BASE_URL, PALLIUM_EMBED_MODEL and, where it needs one, PALLIUM_EMBED_API_KEY for any other",
        "for a model of ollama on this computer: PALLIUM_EMBED_PROVIDER=ollama PALLIUM_EMBED_MODEL=bge-m3",
        "searching by words needs no model: pallium sessions search",
      ],
    },
  );
}

/** The address that texts are sent to. */
export function embeddingsUrl({ baseUrl }: EmbeddingEndpoint): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/embeddings`;
  return url;
}

/** Host and port, as people are told them. */
export function hostOf({ baseUrl }: EmbeddingEndpoint): string {
  return new URL(baseUrl).host;
}

function usualAddress(provider: string, variables: Variables): string {
  if (provider === "ollama") return OLLAMA_URL;
  return (provider === OPENAI && variables.OPENAI_BASE_URL?.trim()) || OPENAI_URL;
}

function mayHaveOpenAiKey(url: URL, variables: Variables): boolean {
  const theirs = [OPENAI_URL, variables.OPENAI_BASE_URL?.trim() || OPENAI_URL];
  return theirs.some((address) => URL.canParse(address) && new URL(address).origin === url.origin);
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === "") {
    return url;
  }
  throw new PalliumError(
    "embeddings_not_configured",
    "the address of the model of embeddings is no http or https address without a user and a password",
    {
      hints: [
        "set PALLIUM_EMBED_BASE_URL to one such as http://localhost:8080/v1; a key goes into PALLIUM_EMBED_API_KEY",
      ],
    },
  );
}
