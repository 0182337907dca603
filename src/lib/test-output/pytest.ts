/** pytest: the short summary names the failures, the sections before it explain them. */
import { failure, type Place, type TestFailure } from "./failure.ts";
import { addLine, lastPlace } from "./lines.ts";
import { PYTHON_FRAME } from "./python.ts";

const SECTION = /^={3,} (.+?) ={3,}$/;
const SUMMARY = "short test summary info";
const HEADING = /^_+ (.+) _+$/;
const SEPARATOR = /^[_ ]+$/;
const OUTCOME = /^(FAILED|ERROR|SUBFAIL(?:ED)?([([].*?[)\]])?) (.+)$/;
const ERROR_LINE = /^E( .*|)$/;
const ENTRY = /^([^\s:][^:]*\.\w+):(\d{1,7}): ?/;
const ERROR_TITLE = /^ERROR (?:at (?:setup|teardown) of|collecting) /;

interface Block {
  readonly title: string;
  readonly lines: string[];
}

interface Outcome {
  readonly id: string;
  /** Parameters of a sub-test, in their brackets. */
  readonly subtest: string;
  readonly message: string;
}

function placeIn(block: Block): Place | undefined {
  return lastPlace(block.lines, ENTRY) ?? lastPlace(block.lines, PYTHON_FRAME);
}

function errorLines(block: Block): string[] {
  return block.lines.flatMap((line) => ERROR_LINE.exec(line)?.[1] ?? []);
}

/** The id ends at ` - `, which may also stand inside the brackets of a parameter. */
function splitOutcome(text: string): readonly [string, string] {
  const bracket = text.indexOf("[");
  let end = text.indexOf(" - ");
  if (bracket !== -1 && bracket < end) {
    const close = text.indexOf("] - ", bracket);
    end = close === -1 ? -1 : close + 1;
  }
  return end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end + 3)];
}

/** `a.py::Group::test_x[1]` is headed `Group.test_x[1]`; a file that did not load by its path. */
function titleOf({ id, subtest }: Outcome): string {
  const bracket = id.indexOf("[");
  const path = (bracket === -1 ? id : id.slice(0, bracket)).split("::");
  const parameters = bracket === -1 ? "" : id.slice(bracket);
  const title = path.length === 1 ? id : path.slice(1).join(".") + parameters;
  return subtest === "" ? title : `${title} ${subtest}`;
}

function read(lines: readonly string[]): { blocks: Block[]; outcomes: Outcome[] } {
  const blocks: Block[] = [];
  const outcomes: Outcome[] = [];
  let section = "";
  let block: Block | undefined;
  for (const line of lines) {
    const title = SECTION.exec(line)?.[1];
    if (title) {
      section = title;
      block = undefined;
    } else if (section === "FAILURES" || section === "ERRORS") {
      const heading = HEADING.exec(line)?.[1];
      if (heading && !SEPARATOR.test(heading)) {
        block = { title: heading.replace(ERROR_TITLE, ""), lines: [] };
        blocks.push(block);
      } else if (block) {
        addLine(block.lines, line);
      }
    } else if (section === SUMMARY) {
      const outcome = OUTCOME.exec(line);
      if (!outcome?.[3]) continue;
      const [id, message] = splitOutcome(outcome[3]);
      outcomes.push({ id, subtest: outcome[2] ?? "", message });
    }
  }
  return { blocks, outcomes };
}

export function* pytest(lines: readonly string[]): Generator<TestFailure> {
  const { blocks, outcomes } = read(lines);
  const unused = new Map<string, Block[]>();
  for (const block of blocks) {
    const same = unused.get(block.title);
    if (same) same.push(block);
    else unused.set(block.title, [block]);
  }
  for (const outcome of outcomes) {
    const block = unused.get(titleOf(outcome))?.shift();
    const explained = block ? errorLines(block) : [];
    const name = outcome.subtest === "" ? outcome.id : `${outcome.id} ${outcome.subtest}`;
    const place = (block && placeIn(block)) ?? { file: outcome.id.split("::")[0] ?? outcome.id };
    yield failure(name, explained.length > 0 ? explained : [outcome.message], place);
  }
  for (const block of [...unused.values()].flat()) {
    const explained = errorLines(block);
    yield failure(block.title, explained.length > 0 ? explained : block.lines, placeIn(block));
  }
}
