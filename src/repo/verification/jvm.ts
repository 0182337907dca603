/** What Gradle and Maven have in common: which of them builds a file, and the names of test classes. */
import { below, stemOf } from "../../lib/slash-path.ts";
import { nearest, type ProjectTree } from "./project-tree.ts";

export const GRADLE_BUILD = ["build.gradle", "build.gradle.kts"];
const SOURCE = /\.(?:java|kt|groovy|scala)$/;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

export type JvmTool = "gradle" | "maven";

/** Whether the file is Java, Kotlin, Groovy or Scala. */
export function isJvmSource(path: string): boolean {
  return SOURCE.test(path);
}

/** The tool whose build file is the nearest; of two in one folder the one that brings its wrapper. */
export function jvmTool(path: string, tree: ProjectTree): JvmTool | undefined {
  const hasGradle = (folder: string) => GRADLE_BUILD.some((name) => tree.has(below(folder, name)));
  const hasMaven = (folder: string) => tree.has(below(folder, "pom.xml"));
  const folder = nearest(path, (one) => hasGradle(one) || hasMaven(one));
  if (folder === undefined) return undefined;
  if (!hasMaven(folder)) return "gradle";
  if (!hasGradle(folder)) return "maven";
  return tree.has(below(folder, "gradlew")) && !tree.has(below(folder, "mvnw"))
    ? "gradle"
    : "maven";
}

/** Names of the classes that test files hold, those that are none left out. */
export function testClasses(tests: readonly string[]): readonly string[] {
  return [...new Set(tests.map(stemOf))].filter((name) => IDENTIFIER.test(name));
}
