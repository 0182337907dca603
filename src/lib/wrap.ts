/** Breaks text between words into lines of at most `width` characters; longer words stay whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}
