/** Whether a path is an absolute one of Windows: those begin with a drive or a share. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[a-z]:[\\/]|\\\\)/i.test(path);
}
