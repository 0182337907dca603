/** How many columns of a terminal a text takes: two for each wide character, none for what joins the one before. */
export function textWidth(text: string): number {
  return Bun.stringWidth(text);
}
