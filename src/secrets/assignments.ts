/** Secrets that have no form of their own: a value that looks like one, under a name that says so. */
import { ASSIGNS } from "./assigning.ts";
import { execAt } from "./exec-at.ts";
import { type FileKind, fileKind } from "./file-kind.ts";
import type { Match } from "./finding.ts";
import type { NamePlace } from "./names.ts";
import { isBlankSetting, isSetting } from "./setting-line.ts";
import {
  isHexDigest,
  isIdentifierOrHash,
  isStandIn,
  isWords,
  looksLikePassword,
  looksRandom,
} from "./value.ts";

const QUOTED = {
  '"': /[^"\n]{8,512}(?=")/y,
  "'": /[^'\n]{8,512}(?=')/y,
  "`": /[^`\n]{8,512}(?=`)/y,
};
/** Followed by what cannot go on an expression. */
const BARE = /[^\s"'`,;(){}[\]<>]{8,512}(?=$|[\s"'`,;}&])/my;
/** Of a connection string or a query, which have marks between their parts. */
const IN_PART = /[^\s"'`;&<>]{8,512}/y;
const PART_BEGINS = /[;?&] ?[\w.-]*$/;
const IN_ELEMENT = /[^\s"'`{}<>]{8,512}(?=<\/)/y;
/** What sets a name to what comes after a blank. */
const COMMAND = /(?:^|\s)(?:ENV|ARG|setenv|set|login[ \t]+\S{1,30})[ \t]+[\w.-]*$/i;
/** How far back a name may begin. */
const LONGEST_NAME = 40;
/** What a name says that makes its value no secret. */
const HARMLESS_NAME =
  /hash|digest|checksum|integrity|public|publishable|(?:[_-]|\b)(?:id|ur[il]|path|name|file|dir)s?$|[a-z](?:Id|Ur[il]|Path|Name|File|Dir)s?$|tokeni[sz]|max_?tokens|placeholder|regex|pattern|label|hint|message|error|help|title|icon|field/i;
const LONGEST_LINE = 1000;
/** Keys to search documentation, which its readers have, stand beside the name of an index. */
const SEARCHED = /index_?name|docsearch/i;
const BESIDE = 300;

interface Assigned {
  readonly name: string;
  readonly value: string;
  /** By quotes, as an element's content, or in a connection string. */
  readonly isDelimited: boolean;
  readonly isPassword: boolean;
  /** Stands bare where that is how values are written. */
  readonly isSetting: boolean;
  readonly start: number;
}

/**
 * @param file decides how much a value must look like a secret.
 * @param names where the text has words that say of a value that it is secret.
 */
export function findAssignments(
  text: string,
  file: string,
  names: readonly NamePlace[],
): readonly Match[] {
  const kind = fileKind(file);
  if (kind.onlyTokens) return [];
  const matches: Match[] = [];
  for (const name of names) {
    if (name.start < (matches.at(-1)?.end ?? 0)) continue;
    const assigned = assignedTo(text, name, kind);
    if (assigned === undefined || !isSecret(assigned, kind)) continue;
    if (isInLongLine(text, assigned.start) || isSearchKey(text, assigned)) continue;
    matches.push({
      rule: assigned.isPassword ? "password" : "generic-secret",
      start: assigned.start,
      end: assigned.start + assigned.value.length,
    });
  }
  return matches;
}

function assignedTo(text: string, name: NamePlace, kind: FileKind): Assigned | undefined {
  const assigning = execAt(ASSIGNS, text, name.end);
  if (assigning === null) return undefined;
  const { rest = "", blank, tag, quote = "" } = assigning.groups ?? {};
  const before = text.slice(Math.max(0, name.start - LONGEST_NAME), name.start);
  const word = text.slice(name.start, name.end);
  const fullName = `${/[\w.-]*$/.exec(before)?.[0] ?? ""}${word}${rest}`;
  const inMixed = kind.isMixed && isBlankSetting(text, name.start);
  if (blank !== undefined && !inMixed && !isCommand(fullName, before, kind)) return undefined;
  const isPart = quote === "" && assigning[0] === `${rest}=` && PART_BEGINS.test(before);
  const start = assigning.index + assigning[0].length;
  const value = execAt(isPart ? IN_PART : finderOf(quote, tag), text, start)?.[0];
  if (value === undefined) return undefined;
  return {
    name: fullName,
    value,
    isDelimited: quote !== "" || tag !== undefined || isPart,
    isPassword: /^p/i.test(word) && !/^private/i.test(word),
    isSetting:
      kind.isSettings ||
      (kind.isMixed &&
        isSetting(text, {
          nameStart: name.start,
          valueEnd: start + value.length,
          isFlag: fullName.startsWith("--"),
        })),
    start,
  };
}

/** Whether only a blank parts a name from its value. */
function isCommand(name: string, before: string, { isSettings }: FileKind): boolean {
  return /^--|^bearer$/i.test(name) || (isSettings && COMMAND.test(before));
}

function finderOf(quote: string, tag: string | undefined): RegExp {
  if (quote !== "") return QUOTED[quote as keyof typeof QUOTED];
  return tag === undefined ? BARE : IN_ELEMENT;
}

function isSecret(
  { name, value, isDelimited, isPassword, isSetting: isSet }: Assigned,
  kind: FileKind,
): boolean {
  if (HARMLESS_NAME.test(name) || isStandIn(value) || isIdentifierOrHash(value)) return false;
  if (/\s/.test(value) || isWords(value) || isEncodedWords(value)) return false;
  if (!isDelimited && !isSet) return isBareSecret(name, value);
  if (isRandomSecret(value)) return true;
  return isPassword && !kind.isTest && looksLikePassword(value);
}

/** Base64 of what would be no secret itself. */
function isEncodedWords(value: string): boolean {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const text = Buffer.from(value, "base64").toString("latin1");
  return /^[ -~]{6,}$/.test(text) && (isWords(text) || isStandIn(text));
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

function isSearchKey(text: string, { name, value, start }: Assigned): boolean {
  if (!/api_?key$/i.test(name) || !/^[0-9a-f]{32}$/.test(value)) return false;
  return SEARCHED.test(text.slice(Math.max(0, start - BESIDE), start + BESIDE));
}

/** Lines of programs that were packed, or of data: nobody wrote a secret there by hand. */
function isInLongLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_LINE), at);
  const after = text.slice(at, at + LONGEST_LINE);
  const start = before.lastIndexOf("\n") + 1;
  const end = after.indexOf("\n");
  return before.length - start + (end === -1 ? after.length : end) >= LONGEST_LINE;
}
