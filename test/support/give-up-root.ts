export const NOBODY = 65534;

/** Makes this process one that permissions apply to, which they do not to root. */
export function giveUpRoot(): void {
  if (process.getuid?.() !== 0) return;
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
