/** The goals that makefiles, justfiles and taskfiles have rules for. */

/** Joins lines that end with a backslash. */
function logicalLines(text: string): readonly string[] {
  return text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/);
}

const RULE = /^([^\t#:=][^#:=]*?)\s*(?:::?)(?![:=])(.*)$/;
const TARGET_VARIABLE = /^\s*(?:(?:override|export|private|unexport)\s+)*[\w.-]+\s*(?:[:?+!]|::)?=/;

/** Goals of a makefile. A setting of variables for a goal is no rule for it, nor is `.PHONY`. */
export function makeGoals(text: string): ReadonlySet<string> {
  const goals = new Set<string>();
  let defining = false;
  for (const line of logicalLines(text)) {
    if (/^\s*define\b/.test(line)) defining = true;
    if (/^\s*endef\b/.test(line)) defining = false;
    const rule = defining ? null : RULE.exec(line);
    if (rule === null || TARGET_VARIABLE.test(rule[2] ?? "")) continue;
    for (const goal of (rule[1] ?? "").trim().split(/\s+/)) {
      if (/^[\w./-]+$/.test(goal) && !goal.startsWith(".")) goals.add(goal);
    }
  }
  return goals;
}

const RECIPE = /^@?([A-Za-z_][\w-]*)((?:\s+[^:]*?)?)\s*:(?!=)/;
const ALIAS = /^alias\s+([A-Za-z_][\w-]*)\s*:=/;

/** Recipes of a justfile that can run without arguments. */
export function justGoals(text: string): ReadonlySet<string> {
  const goals = new Set<string>();
  for (const line of logicalLines(text)) {
    const alias = ALIAS.exec(line)?.[1];
    if (alias !== undefined) goals.add(alias);
    const [, name, parameters = ""] = RECIPE.exec(line) ?? [];
    if (name === undefined || name === "alias" || name === "set") continue;
    const needed = parameters.trim().split(/\s+/).filter(Boolean);
    if (needed.every((word) => word.includes("=") || word.startsWith("*"))) goals.add(name);
  }
  return goals;
}

/** Tasks of a taskfile: the keys one level below `tasks`. */
export function taskGoals(text: string): ReadonlySet<string> {
  const goals = new Set<string>();
  let inTasks = false;
  let indent: number | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\S/.test(line) && !line.startsWith("#")) inTasks = /^tasks\s*:/.test(line);
    const key = inTasks ? /^(\s+)["']?([\w.:-]+?)["']?\s*:(?:\s|$)/.exec(line) : null;
    if (key === null) continue;
    indent ??= key[1]?.length;
    if (key[1]?.length === indent && key[2] !== undefined) goals.add(key[2]);
  }
  return goals;
}
