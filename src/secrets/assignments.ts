/** Secrets that have no form of their own: a value that looks like one, under a name that says so. */
import { type FileKind, fileKind } from "./file-kind.ts";
import type { Match } from "./finding.ts";
import {
  isHexDigest,
  isIdentifierOrHash,
  isStandIn,
  isWords,
  looksLikePassword,
  looksRandom,
} from "./value.ts";

const NAME =
  /passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key|master[_-]?key|credential|bearer/gi;
/** The rest of the name, what assigns (only a blank, after a flag), and the quote of the value. */
const ASSIGNS =
  /[\w.-]{0,40}(?:["'`\]]{0,2}[ \t]{0,10}(?::=|=>|={1,3}|!==?|:(?:[ \t]{0,4}[\w<>|&[\] ?]{1,40}=(?!=))?)|["'`],|["'][ \t]{1,10}value[ \t]{0,10}=|([ \t]))[ \t]{0,10}(["'`]?)/y;
const QUOTED = {
  '"': /[^"\n]{8,512}(?=")/y,
  "'": /[^'\n]{8,512}(?=')/y,
  "`": /[^`\n]{8,512}(?=`)/y,
};
/** Followed by what cannot go on an expression. */
const BARE = /[^\s"'`,;(){}[\]<>]{8,512}(?=$|[\s"'`,;}&])/my;
/** How far back a name may begin. */
const LONGEST_NAME = 40;
/** What a name says that makes its value no secret. */
const HARMLESS_NAME =
  /hash|digest|checksum|integrity|public|publishable|(?:[_-]|\b)(?:id|ur[il]|path|name|file|dir)s?$|[a-z](?:Id|Ur[il]|Path|Name|File|Dir)s?$|tokeni[sz]|max_?tokens|placeholder|regex|pattern|label|hint|message|error|help|title|icon|field/i;
const LONGEST_LINE = 1000;

interface Assigned {
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  readonly isPassword: boolean;
  readonly start: number;
}

/** @param file decides how much a value must look like a secret. */
export function findAssignments(text: string, file: string): readonly Match[] {
  const kind = fileKind(file);
  if (kind.onlyTokens) return [];
  const finders = { assigns: new RegExp(ASSIGNS), bare: new RegExp(BARE) };
  const matches: Match[] = [];
  for (const name of text.matchAll(NAME)) {
    if (name.index < (matches.at(-1)?.end ?? 0)) continue;
    const assigned = assignedTo(text, name, finders);
    if (assigned === undefined || !isSecret(assigned, kind)) continue;
    if (isInLongLine(text, assigned.start)) continue;
    matches.push({
      rule: assigned.isPassword ? "password" : "generic-secret",
      start: assigned.start,
      end: assigned.start + assigned.value.length,
    });
  }
  return matches;
}

function assignedTo(
  text: string,
  name: RegExpExecArray,
  { assigns, bare }: { readonly assigns: RegExp; readonly bare: RegExp },
): Assigned | undefined {
  assigns.lastIndex = name.index + name[0].length;
  const assigning = assigns.exec(text);
  if (assigning === null) return undefined;
  const start = assigns.lastIndex;
  const [all, blank, quote = ""] = assigning;
  const finder = quote === "" ? bare : new RegExp(QUOTED[quote as keyof typeof QUOTED]);
  finder.lastIndex = start;
  const value = finder.exec(text)?.[0];
  if (value === undefined) return undefined;
  const before = /[\w.-]*$/.exec(text.slice(Math.max(0, name.index - LONGEST_NAME), name.index));
  const fullName = `${before?.[0] ?? ""}${name[0]}${/^[\w.-]*/.exec(all)?.[0] ?? ""}`;
  if (blank !== undefined && !/^--|^bearer$/i.test(fullName)) return undefined;
  return {
    name: fullName,
    value,
    isQuoted: quote !== "",
    isPassword: /^p/i.test(name[0]) && !/^private/i.test(name[0]),
    start,
  };
}

function isSecret({ name, value, isQuoted, isPassword }: Assigned, kind: FileKind): boolean {
  if (HARMLESS_NAME.test(name) || isStandIn(value) || isIdentifierOrHash(value)) return false;
  if (/\s/.test(value) || isWords(value)) return false;
  if (!isQuoted && !kind.isSettings) return isBareSecret(name, value);
  if (isRandomSecret(value)) return true;
  return isPassword && !kind.isTest && looksLikePassword(value);
}

/** In program text a bare value is a name or a call, unless it is long and nothing but random. */
function isBareSecret(name: string, value: string): boolean {
  if (!/^[A-Za-z0-9+/=_-]{24,}$/.test(value) || (value.match(/\d/g)?.length ?? 0) < 4) return false;
  return isRandomSecret(value) && !value.startsWith(name);
}

function isRandomSecret(value: string): boolean {
  if (/^\d+$/.test(value) || !/^[\x21-\x7e]+$/.test(value)) return false;
  return looksRandom(value) || (isHexDigest(value) && /[a-f]/i.test(value));
}

/** Lines of programs that were packed, or of data: nobody wrote a secret there by hand. */
function isInLongLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_LINE), at);
  const after = text.slice(at, at + LONGEST_LINE);
  const start = before.lastIndexOf("\n") + 1;
  const end = after.indexOf("\n");
  return before.length - start + (end === -1 ? after.length : end) >= LONGEST_LINE;
}
