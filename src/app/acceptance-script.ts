import script from "../../scripts/workflow-acceptance.sh" with { type: "text" };

/** Text of `scripts/workflow-acceptance.sh`. */
export const ACCEPTANCE_SCRIPT: string = script;
