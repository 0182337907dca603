// One agent makes claims about a question, then several skeptics, each with a reason of its own to
// doubt, try to refute every claim. What the majority could not refute is kept.
//
//   pallium workflow run --script docs/examples/adversarial-review.js \
//     --args '{"question":"Where can a request bypass authentication?"}'
export const meta = {
  name: "adversarial-review",
  description: "Make claims, let skeptics refute them, keep what survives the vote",
  phases: ["claim", "refute"],
};

const QUESTION = args?.question ?? "Which defects does this repository have?";
const MOST_CLAIMS = args?.most ?? 8;

const SKEPTICS = [
  "The code may never behave as claimed: follow it line by line.",
  "Something elsewhere may already prevent it: look at callers, tests and configuration.",
  "It may be true but without consequence: show who would ever be hurt by it.",
];

const CLAIMS = {
  type: "object",
  properties: {
    claims: {
      type: "array",
      items: {
        type: "object",
        properties: { claim: { type: "string" }, evidence: { type: "string" } },
        required: ["claim", "evidence"],
      },
    },
  },
  required: ["claims"],
};

const VOTE = {
  type: "object",
  properties: { refuted: { type: "boolean" }, reason: { type: "string" } },
  required: ["refuted", "reason"],
};

phase("claim");
const { claims } = await agent(
  "Answer this question about the repository you are in, as separate claims, the most important" +
    " first. Give evidence with file and line for each. Change no file.\n\nQuestion: " + QUESTION,
  { label: "claims", mode: "read-only", schema: CLAIMS },
);
const judged = claims.slice(0, MOST_CLAIMS);

phase("refute");
const ballots = await pipeline(
  judged,
  (claim, _, index) =>
    parallel(SKEPTICS, (doubt, seat) =>
      agent(
        "Try to refute this claim about the repository you are in. " + doubt + " If you are not" +
          " sure after looking, it counts as refuted. Change no file.\n\n" + JSON.stringify(claim),
        { label: "skeptic " + (seat + 1) + " of claim " + (index + 1), schema: VOTE },
      ),
    ),
  (votes, claim) => {
    const cast = votes.filter((vote) => vote !== null);
    const against = cast.filter(({ refuted }) => refuted).length;
    // A failed skeptic is no vote; with fewer than a majority of votes nothing is decided.
    const quorum = cast.length * 2 > SKEPTICS.length;
    const verdict = !quorum ? "undecided" : against * 2 > cast.length ? "refuted" : "stands";
    return { ...claim, verdict, against, votes: cast };
  },
);

const decided = ballots.filter((ballot) => ballot !== null);
const having = (verdict) => decided.filter((ballot) => ballot.verdict === verdict);
return {
  question: QUESTION,
  stands: having("stands"),
  refuted: having("refuted"),
  undecided: having("undecided"),
  claims_not_judged: claims.slice(MOST_CLAIMS).map(({ claim }) => claim),
};
