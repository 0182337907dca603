/** A scheme, who asks, whose password may hold an `@` too, and the host of an address; or the last two as in `git@host:path`. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:]*)(?::\d+)?\/(.*)$/i;
const SHORT = /^(?:[^/@:]+@)?([^/@:]{2,}):(?!\/\/)(.*)$/;

/**
 * What names a repository's origin, whichever way it is fetched: `github.com/ann/app` for
 * `git@github.com:ann/app.git` and `https://token@GitHub.com/ann/app`. A folder on disk is itself;
 * empty for what only means something where it is written, such as `../app.git`.
 */
export function originName(url: string): string {
  const text = url.trim();
  const [, host, path] = ADDRESS.exec(text) ?? SHORT.exec(text) ?? [];
  if (host === undefined || path === undefined) return text.startsWith("/") ? bare(text) : "";
  return host === "" ? bare(`/${path}`) : `${host.toLowerCase()}/${bare(path.replace(/^\/+/, ""))}`;
}

function bare(path: string): string {
  return path.replace(/\/+$/, "").replace(/\.git$/, "");
}
