/** The file beside it as text: it runs in the page. */
declare const text: string;
export = text;
