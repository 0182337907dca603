/** What names packs: one that comes with the program, a folder, or a git repository. Pure. */
import { PalliumError, usageError } from "../../../lib/errors.ts";

export type PackSource =
  | { readonly kind: "folder"; readonly path: string; readonly shown: string }
  | { readonly kind: "git"; readonly url: string; readonly shown: string };

export interface SourceWord {
  readonly source: PackSource;
  /** The pack behind `#`. */
  readonly pack?: string;
}

/** Of git these alone are spoken; `ext::` would run a program. */
export const PROTOCOLS = ["https", "ssh", "file"] as const;

const URL_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** As ssh has it: `git@host:path`. */
const SCP_LIKE = /^[\w.-]+@[\w.-]+:[^:]/;

/** Whether a word is the path of a folder or the address of a repository, and no name of a pack. */
export function isSource(word: string): boolean {
  return word === "." || word === ".." || /[/\\:]/.test(word) || word.startsWith("~");
}

/**
 * Reads `./folder`, `/folder`, `https://host/repo.git`, `git@host:repo` or `file:///repo.git`, each with
 * `#pack` behind it or without.
 * @throws PalliumError `usage`, `pack_source_refused`
 */
export function readSource(word: string): SourceWord {
  const hash = word.lastIndexOf("#");
  const address = hash === -1 ? word : word.slice(0, hash);
  const pack = hash === -1 ? undefined : word.slice(hash + 1);
  if (address === "" || pack === "") {
    throw usageError(`not a source of packs: ${word}`, "such as ./packs or ./packs#name");
  }
  return { source: sourceOf(address), ...(pack !== undefined && { pack }) };
}

function sourceOf(address: string): PackSource {
  const scheme = URL_SCHEME.exec(address)?.[1]?.toLowerCase();
  const isSpoken = PROTOCOLS.some((protocol) => protocol === scheme);
  if (isSpoken || SCP_LIKE.test(address)) {
    return { kind: "git", url: address, shown: withoutCredentials(address) };
  }
  if (scheme !== undefined || address.includes("::") || address.startsWith("-")) {
    throw new PalliumError(
      "pack_source_refused",
      `not an address that packs are read from: ${withoutCredentials(address)}`,
      {
        exitCode: 2,
        hints: [`name a folder, or a git repository by ${PROTOCOLS.join(", ")} or user@host:path`],
      },
    );
  }
  return { kind: "folder", path: address, shown: address };
}

/** Who asks, with a password or, but for ssh, without: a user may be a token. */
const CREDENTIALS = /:\/\/[^/@\s:]*:[^/@\s]*@|(?<!ssh):\/\/[^/@\s]*@/g;

/** An address as it may be shown. */
export function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, "://");
}
