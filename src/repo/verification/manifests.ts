/** The files that say how a repository is built and tested. */
import { nameOf } from "../../lib/slash-path.ts";

const NAMES: ReadonlySet<string> = new Set(
  [
    "package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb",
    "pnpm-workspace.yaml tsconfig.json deno.json deno.jsonc",
    "Makefile GNUmakefile makefile justfile Justfile .justfile",
    "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml",
    "pyproject.toml setup.cfg setup.py tox.ini pytest.ini .pytest.ini noxfile.py conftest.py manage.py",
    "ruff.toml .ruff.toml mypy.ini .mypy.ini pyrightconfig.json requirements.txt",
    "uv.lock poetry.lock pdm.lock Pipfile Pipfile.lock hatch.toml",
    "go.mod go.work .golangci.yml .golangci.yaml .golangci.toml",
    "Cargo.toml",
    "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew pom.xml mvnw",
    "Gemfile Rakefile .rspec .rubocop.yml composer.json phpunit.xml phpunit.xml.dist",
    "phpstan.neon phpstan.neon.dist psalm.xml",
    "CMakeLists.txt meson.build",
  ].flatMap((line) => line.split(" ")),
);

/** Also those that a script names, such as `vitest.config.e2e.ts`. */
const VITEST_CONFIG = /^(?:vite|vitest)\.config(?:\.[\w-]+)*\.[cm]?[jt]s$/;
const PROJECT_FILE = /\.(?:csproj|fsproj|vbproj|sln|slnx)$/;

/** Whether plans are made from the file, so that its text must be at hand; of lock files and wrappers only that they exist. */
export function isVerificationManifest(path: string): boolean {
  const name = nameOf(path);
  return NAMES.has(name) || PROJECT_FILE.test(name) || VITEST_CONFIG.test(name);
}
