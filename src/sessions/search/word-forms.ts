/** Forms of English words that no stemmer brings together: who asks when somebody went means `go`. */

const GROUPS =
  "become became|begin began begun|bind bound|bite bit bitten|blow blew blown|break broke broken|bring brought|" +
  "build built|buy bought|catch caught|child children|choose chose chosen|come came|deal dealt|dig dug|draw drew drawn|" +
  "drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feel felt|fight fought|find found|fly flew flown|" +
  "foot feet|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go goes went gone|" +
  "grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|learn learnt|" +
  "leave left|lend lent|life lives|lose lost|make made|man men|mean meant|meet met|mouse mice|pay paid|person people|" +
  "ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|" +
  "shake shook shaken|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|" +
  "slide slid|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck|strike struck|" +
  "sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|" +
  "throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven|wife wives|win won|" +
  "withdraw withdrew withdrawn|woman women|write wrote written";

const ENDINGS = ["", "s", "es", "ed", "d", "ing"];

/** @returns the forms of a word in lower case, the word itself first. */
export function wordForms(word: string): readonly string[] {
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, word.length - ending.length);
    const group = GROUPS.split("|")
      .map((forms) => forms.split(" "))
      .find((forms) => forms.includes(base));
    if (group !== undefined) return [word, ...group.filter((form) => form !== word)];
  }
  return [word];
}
