/** What a Markdown document says can be run or found. */
export interface Mention {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export interface Mentions {
  /** Lines of fenced shell blocks that can be run as they stand. */
  readonly commands: readonly Mention[];
  /** Pieces of inline code. */
  readonly code: readonly Mention[];
  /** Targets of links. */
  readonly links: readonly Mention[];
}

const FENCE = /^\s*(`{3,}|~{3,})\s*([\w-]*)/;
const SHELL_LANGUAGES = ["sh", "bash", "shell", "console"];
const INLINE_CODE = /(`+)([^`]+)\1/g;
const LINK = /\]\(([^)\s]+)[^)]*\)/g;

/** Joins lines that end with a backslash to the line they continue. */
function commandOf(lines: readonly string[], index: number): string | undefined {
  if (lines[index - 1]?.endsWith("\\")) return undefined;
  let command = lines[index] ?? "";
  for (let next = index + 1; command.endsWith("\\"); next++) {
    command = `${command.slice(0, -1)} ${lines[next]?.trim() ?? ""}`;
  }
  return command.trim().replace(/^\$\s+/, "");
}

/** Collects what a document mentions, in order. */
export function mentionsIn(document: string): Mentions {
  const lines = document.split("\n");
  const commands: Mention[] = [];
  const code: Mention[] = [];
  const links: Mention[] = [];
  let fence: { readonly mark: string; readonly shell: boolean } | undefined;
  for (const [index, content] of lines.entries()) {
    const line = index + 1;
    const [, mark, language = ""] = FENCE.exec(content) ?? [];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence.mark))) {
      fence = fence === undefined ? { mark, shell: SHELL_LANGUAGES.includes(language) } : undefined;
    } else if (fence !== undefined) {
      const text = fence.shell ? commandOf(lines, index) : undefined;
      if (text !== undefined && text !== "") commands.push({ line, text });
    } else {
      for (const match of content.matchAll(INLINE_CODE)) code.push({ line, text: match[2] ?? "" });
      for (const match of content.matchAll(LINK)) links.push({ line, text: match[1] ?? "" });
    }
  }
  return { commands, code, links };
}

/**
 * The words of the first simple command of a shell line: quotes taken off, and everything from a
 * comment, pipe, redirection or `&&` on left out. Assignments in front of it are dropped.
 */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  const token =
    /\s*(?:(#|\||>|<(?![\w-]+>)|;|&)|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|<[\w-]+>|[^\s"'|;&<>\\])+))/y;
  for (let match = token.exec(line); match !== null; match = token.exec(line)) {
    const [, operator, word] = match;
    if (operator !== undefined || word === undefined) break;
    words.push(
      word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_whole, double, single) => {
        return double ?? single;
      }),
    );
  }
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return start === -1 ? [] : words.slice(start);
}
