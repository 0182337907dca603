import { usageError } from "../../lib/errors.ts";
import { nearMatch } from "../../lib/near-match.ts";
import type { Command, CommandGroup } from "../command.ts";
import { fishScript } from "../completions/fish.ts";
import { bashScript, zshScript } from "../completions/posix.ts";
import { type Place, placesOf } from "../completions/words.ts";

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function completionsCommand(root: CommandGroup): Command {
  return {
    name: "completions",
    summary: "Print the script that has a shell complete commands, flags and names",
    positionals: "<bash|zsh|fish>",
    arity: [1, 1],
    args: {},
    examples: [
      "source <(pallium completions bash)",
      "source <(pallium completions zsh)",
      "pallium completions fish > ~/.config/fish/completions/pallium.fish",
    ],
    async run({ rest: [shell = ""] }) {
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (script === undefined) throw unknownShell(shell);
      const text = script(await placesOf(root));
      return { data: { shell, script: text }, text: text.trimEnd() };
    },
  };
}

function unknownShell(shell: string): Error {
  const names = Object.keys(SCRIPTS);
  const near = nearMatch(shell, names);
  return usageError(
    `there are no completions for the shell ${JSON.stringify(shell)}`,
    near === undefined ? `it takes one of: ${names.join(", ")}` : `did you mean ${near}?`,
  );
}
