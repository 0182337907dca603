import { languageOf } from "../imports/language.ts";
import { isKeptText } from "./kept-text.ts";

/**
 * What the content of a file is read as, a word that its path decides: of equal content that is read
 * as the same, the same is kept.
 */
export function readAs(path: string): string {
  const language = languageOf(path) ?? "";
  return isKeptText(path) ? `${language}+text` : language;
}
