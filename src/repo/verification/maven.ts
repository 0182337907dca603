import { below, upward } from "../../lib/slash-path.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { isJvmSource, jvmTool, testClasses } from "./jvm.ts";
import { nearestWith, type ProjectTree, relativeTo } from "./project-tree.ts";
import { commandsOf, type Project, planEach } from "./projects.ts";
import type { Plan } from "./types.ts";

const command = commandsOf("maven");

/** Maven: phases of the module that holds the change, run in its reactor. */
export const maven: Ecosystem = {
  name: "maven",
  owns: (path, tree) => isJvmSource(path) && jvmTool(path, tree) === "maven",
  isProjectFile: (name) => name === "pom.xml",
  plan: (work, tree) => planEach(work, tree, (path) => nearestWith(tree, path, "pom.xml"), plan),
};

function plan({ root, tests }: Project, tree: ProjectTree): Plan {
  const reactor = reactorOf(root, tree);
  const wrapper = nearestWith(tree, below(reactor, "x"), "mvnw");
  const program = wrapper === reactor ? "./mvnw" : "mvn";
  const module = relativeTo(reactor, root);
  const select = module === "" ? [] : ["-pl", module, "-am"];
  const run = (args: readonly string[], reason: string) =>
    command([program, ...args], reactor, reason);
  const unit = testClasses(tests).filter((name) => !isIntegrationTest(name));
  const integration = testClasses(tests).filter(isIntegrationTest);
  return {
    fast: [
      ...(unit.length === 0
        ? []
        : [run([...select, "test", ...only("test", "surefire", unit, module)], "the tests")]),
      ...(integration.length === 0
        ? []
        : [
            run(
              [...select, "verify", ...only("it.test", "failsafe", integration, module)],
              "the integration tests",
            ),
          ]),
    ],
    safe: [run([...select, "test"], "the module")],
    full: [run(["verify"], "all modules, with their checks")],
  };
}

/** What Failsafe, not Surefire, runs. */
function isIntegrationTest(name: string): boolean {
  return /^IT[A-Z]|IT(?:Case)?$/.test(name);
}

/** Modules that are built along have none of these tests, which must not fail the build. */
function only(
  property: string,
  plugin: string,
  names: readonly string[],
  module: string,
): readonly string[] {
  const filter = `-D${property}=${names.join(",")}`;
  return module === "" ? [filter] : [filter, `-D${plugin}.failIfNoSpecifiedTests=false`];
}

/** The topmost of the unbroken line of folders above a module whose `pom.xml` lists modules. */
function reactorOf(root: string, tree: ProjectTree): string {
  let reactor = root;
  for (const folder of upward(root)) {
    const text = tree.text(below(folder, "pom.xml"));
    if (text !== undefined && /<modules>/.test(text)) reactor = folder;
  }
  return reactor;
}
