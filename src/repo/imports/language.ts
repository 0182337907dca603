import type { Language } from "./types.ts";

const EXTENSIONS: Readonly<Record<Language, readonly string[]>> = {
  javascript: "js jsx mjs cjs ts tsx mts cts vue svelte".split(" "),
  go: ["go"],
  python: ["py", "pyi", "pyw"],
  rust: ["rs"],
  java: ["java"],
  kotlin: ["kt", "kts"],
  csharp: ["cs", "csx"],
  ruby: ["rb", "rake", "gemspec", "ru"],
  php: ["php", "phtml", "inc"],
  c: "c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp m mm".split(" "),
};

const LANGUAGE_OF: Readonly<Record<string, Language>> = Object.assign(
  Object.create(null),
  ...Object.entries(EXTENSIONS).map(([language, extensions]) =>
    Object.fromEntries(extensions.map((extension) => [extension, language])),
  ),
);

const RUBY_NAMES = ["Rakefile", "Gemfile", "Guardfile", "Capfile"];

const MANIFESTS =
  /(?:^|\/)(?:package\.json|[^/]*[tj]sconfig[^/]*\.json|(?:tsconfig|typescript-config|tsconfigs?)\/(?:[^/]+\/)*[^/]+\.json|pnpm-workspace\.ya?ml|go\.mod|go\.work|pyproject\.toml|setup\.cfg|setup\.py|pytest\.ini|tox\.ini|Cargo\.toml|composer\.json)$/;

/** The language whose imports the file is read for; `undefined` where none is known. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return RUBY_NAMES.includes(name) ? "ruby" : undefined;
  return LANGUAGE_OF[name.slice(dot + 1)] ?? LANGUAGE_OF[name.slice(dot + 1).toLowerCase()];
}

/** Whether the resolvers may ask `SourceTree.manifest` for the file. */
export function isManifest(path: string): boolean {
  return MANIFESTS.test(path);
}
