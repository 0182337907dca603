import type { Program, VariableDeclaration, VariableDeclarator } from "acorn";
import type { Finding } from "./finding.ts";
import { lineAt, type SourceFile, syntaxTree } from "./source.ts";

const COLLECTIONS = ["Map", "Set", "WeakMap", "WeakSet"];
/** Classes whose instances keep no state from one use to the next. */
const STATELESS = ["RegExp", "TextEncoder", "TextDecoder", "URL", "Proxy"];
const MUTATORS =
  "add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift|enterWith";

function moduleDeclarations(tree: Program): readonly VariableDeclaration[] {
  return tree.body.flatMap((statement) => {
    if (statement.type === "VariableDeclaration") return [statement];
    if (statement.type !== "ExportNamedDeclaration") return [];
    return statement.declaration?.type === "VariableDeclaration" ? [statement.declaration] : [];
  });
}

function createdState({ init }: VariableDeclarator): string | undefined {
  if (init?.type === "ArrayExpression" && init.elements.length === 0) return "an empty list";
  if (init?.type === "ObjectExpression" && init.properties.length === 0) return "an empty object";
  if (init?.type !== "NewExpression") return undefined;
  const name = init.callee.type === "Identifier" ? init.callee.name : "an object";
  if (STATELESS.includes(name)) return undefined;
  if (COLLECTIONS.includes(name) && init.arguments.length > 0) return undefined;
  return `a new ${name}`;
}

function isChanged(name: string, masked: string): boolean {
  const variable = `(?<![\\w$.])${name.replaceAll("$", "\\$")}`;
  const call = new RegExp(`${variable}\\.(?:${MUTATORS})\\s*\\(`);
  const member = new RegExp(
    `${variable}(?:\\.[\\w$]+|\\[[^\\]]*\\])\\s*(?:[-+*/|&?]{0,2}=(?![=>])|\\+\\+|--)`,
  );
  return call.test(masked) || member.test(masked);
}

function complaint(declarator: VariableDeclarator, { masked }: SourceFile): string | undefined {
  if (declarator.id.type !== "Identifier") return undefined;
  const { name } = declarator.id;
  const state = createdState(declarator);
  if (state !== undefined) return `${name} holds ${state} at module level`;
  return isChanged(name, masked) ? `${name} is changed, and lives at module level` : undefined;
}

/** Finds state that outlives the values it belongs to: `let` and mutable objects at module level. */
export function checkModuleState(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const found = (offset: number, message: string): Finding => ({
      path: file.path,
      line: lineAt(file.text, offset),
      rule: "module-state",
      message: `${message}; make it in app/wire and pass it in`,
    });
    return moduleDeclarations(syntaxTree(file)).flatMap((declaration) => {
      if (declaration.kind === "let" || declaration.kind === "var") {
        return [found(declaration.start, `a module-level ${declaration.kind}`)];
      }
      return declaration.declarations.flatMap((declarator) => {
        const message = complaint(declarator, file);
        return message === undefined ? [] : [found(declarator.start, message)];
      });
    });
  });
}
