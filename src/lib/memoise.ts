/** A function that computes the answer to a question once. */
export function memoise<Answer>(
  answer: (question: string) => Answer,
): (question: string) => Answer {
  const known = new Map<string, Answer>();
  return (question) => {
    const found = known.get(question);
    if (found !== undefined || known.has(question)) return found as Answer;
    const fresh = answer(question);
    known.set(question, fresh);
    return fresh;
  };
}
