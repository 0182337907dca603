/** A stream that is read while it comes. */
export interface Reading {
  /** Resolves with all that has come once a text is in it. @throws Error when the stream ends before. */
  until(text: string): Promise<string>;
  /** All of it, once it has ended. */
  whole(): Promise<string>;
}

export function reading(stream: ReadableStream<Uint8Array>): Reading {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let seen = "";
  const more = async (): Promise<boolean> => {
    const { value } = await reader.read();
    seen += decoder.decode(value, { stream: value !== undefined });
    return value !== undefined;
  };
  return {
    until: async (text) => {
      while (!seen.includes(text)) {
        if (!(await more())) throw new Error(`the stream ended without "${text}": ${seen}`);
      }
      return seen;
    },
    whole: async () => {
      while (await more());
      return seen;
    },
  };
}
