import { scanC } from "./scanners/c.ts";
import { scanCsharp } from "./scanners/csharp.ts";
import { scanGo } from "./scanners/go.ts";
import { scanJavascript } from "./scanners/javascript.ts";
import { scanJava, scanKotlin } from "./scanners/jvm.ts";
import { scanPhp } from "./scanners/php.ts";
import { scanPython } from "./scanners/python.ts";
import { scanRuby } from "./scanners/ruby.ts";
import { scanRust } from "./scanners/rust.ts";
import type { Language, Scan } from "./types.ts";

/** Longer text is generated or minified: what it imports stands at its beginning. In characters. */
const TEXT_LIMIT = 1024 * 1024;

const SCANNERS: Readonly<Record<Language, (text: string) => Scan>> = {
  javascript: scanJavascript,
  go: scanGo,
  python: scanPython,
  rust: scanRust,
  java: scanJava,
  kotlin: scanKotlin,
  csharp: scanCsharp,
  ruby: scanRuby,
  php: scanPhp,
  c: scanC,
};

/** What the text of one file says of other files. Never throws: text that is no code says nothing. */
export function scan(language: Language, text: string): Scan {
  return SCANNERS[language](text.length > TEXT_LIMIT ? text.slice(0, TEXT_LIMIT) : text);
}
