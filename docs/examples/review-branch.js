// Reviews what a branch changed: each angle is reviewed by one agent, whose points a second agent
// then checks against the code. An angle that is done does not wait for the others.
//
//   pallium workflow run --script docs/examples/review-branch.js --args '{"base":"main"}'
//
// args.base is a branch, tag or commit; without it the branch that origin points to, or main or
// master. args.angles replaces the angles. Nothing is changed.
export const meta = {
  name: "review-branch",
  description: "Review the change since a base from several angles, then verify the points",
  phases: ["scope", "review"],
};

// The end of a command's output is 4,096 characters at most, so the diff is read in pages.
const PAGE_BYTES = 4000;
const MOST_PAGES = 20;

const ANGLES = args?.angles ?? ["correctness", "missing tests", "security", "simplicity"];

const REVIEW = {
  type: "object",
  properties: {
    summary: { type: "string" },
    points: {
      type: "array",
      items: {
        type: "object",
        properties: {
          title: { type: "string" },
          file: { type: "string" },
          line: { type: "integer" },
          why: { type: "string" },
          severity: { type: "string", enum: ["high", "medium", "low"] },
        },
        required: ["title", "file", "why", "severity"],
      },
    },
  },
  required: ["summary", "points"],
};

const VERDICTS = {
  type: "object",
  properties: {
    verdicts: {
      type: "array",
      items: {
        type: "object",
        properties: {
          index: { type: "integer" },
          holds: { type: "boolean" },
          reason: { type: "string" },
        },
        required: ["index", "holds", "reason"],
      },
    },
  },
  required: ["verdicts"],
};

// One word of a shell command, whatever is in it.
function quoted(text) {
  return "'" + String(text).replaceAll("'", "'\\''") + "'";
}

async function firstLine(label, command) {
  const result = await check(command, { label });
  return result.ok ? result.output_tail.trim().split("\n")[0] : "";
}

// The commit that the branch left the base at; empty where there is none.
async function forkPoint() {
  const bases = args?.base ? [args.base] : ["origin/HEAD", "main", "master"];
  for (const base of bases.map(String)) {
    if (base.startsWith("-")) continue; // Git would take it for an option.
    const commit = await firstLine(
      "base " + base,
      "id=$(git rev-parse --verify --quiet " + quoted(base + "^{commit}") + ")" +
        ' && git merge-base "$id" HEAD',
    );
    if (commit !== "") return commit;
  }
  return "";
}

// Prints one page of what it reads, or with `wanted=0` how many pages there are. A page ends with a
// line; one that is longer than a page is cut, but not inside a character.
const PAGER =
  "LC_ALL=C awk -v most=" + PAGE_BYTES + " '" +
  "function put(text) {" +
  "  if (page == 0 || used + length(text) > most) { page++; used = 0 }" +
  "  used += length(text);" +
  '  if (page == wanted) printf "%s", text' +
  "}" +
  '{ line = $0 "\\n";' +
  "  while (length(line) > most) {" +
  "    cut = most;" +
  "    while (cut > most - 3 && substr(line, cut + 1, 1) ~ /[\\200-\\277]/) cut--;" +
  "    put(substr(line, 1, cut)); line = substr(line, cut + 1)" +
  "  }" +
  "  put(line) }" +
  "END { if (wanted == 0) print page + 0 }' wanted=";

async function readDiff(from) {
  const diff = "git diff --no-color --no-ext-diff " + from + " HEAD -- | " + PAGER;
  const pages = Number(await firstLine("pages of the diff", diff + "0"));
  const numbers = Array.from({ length: Math.min(pages, MOST_PAGES) }, (_, index) => index + 1);
  const texts = await parallel(numbers, async (page) => {
    return (await check(diff + page, { label: "diff " + page })).output_tail;
  });
  const complete = pages <= MOST_PAGES;
  const cut = "\n[the diff goes on: " + MOST_PAGES + " of " + pages + " pages shown]";
  return { text: texts.join("") + (complete ? "" : cut), complete };
}

phase("scope");
const from = await forkPoint();
if (from === "") {
  return { summary: "Found no base to compare with; name one as args.base", points: [] };
}
const diff = await readDiff(from);
if (diff.text === "") return { summary: "Nothing was changed since " + from, points: [] };

phase("review");
const reviews = await pipeline(
  ANGLES,
  (angle) =>
    agent(
      "Review this change of the repository you are in, only for " + angle + ". Read the files" +
        " around it before you judge. Report what should be changed before it is merged, nothing" +
        " else. Change no file.\n\n" + diff.text,
      { label: "review " + angle, mode: "read-only", schema: REVIEW },
    ),
  async (review, angle) => {
    if (review.points.length === 0) return { angle, summary: review.summary, points: [] };
    const { verdicts } = await agent(
      "A reviewer made these points about the repository you are in, counted from 0. Look each" +
        " one up in the code and say whether it holds.\n\n" + JSON.stringify(review.points),
      { label: "verify " + angle, mode: "read-only", schema: VERDICTS },
    );
    const holding = new Set(verdicts.filter(({ holds }) => holds).map(({ index }) => index));
    const points = review.points.filter((_, index) => holding.has(index));
    return { angle, summary: review.summary, points };
  },
);

const done = reviews.filter((review) => review !== null);
const failed = ANGLES.filter((_, index) => reviews[index] === null);
const order = ["high", "medium", "low"];
const points = done
  .flatMap(({ angle, points }) => points.map((point) => ({ ...point, angle })))
  .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
return {
  summary: points.length + " points hold in " + done.length + " of " + ANGLES.length + " angles",
  points,
  angles: done.map(({ angle, summary }) => ({ angle, summary })),
  angles_not_reviewed: failed,
  whole_diff_read: diff.complete,
};
