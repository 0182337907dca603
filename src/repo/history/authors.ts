/** Who wrote commits: those who committed them, and those whom the messages name. */
import type { Transaction } from "../../platform/sqlite/database.ts";
import { coAuthors, isBot } from "./commit-facts.ts";

export interface Author {
  readonly id: number;
  /** Whether it is a program. */
  readonly isBot: boolean;
}

export type AuthorOf = (name: string, email: string) => Author;

/** @returns what stores authors as they come; a program and a person of one address are two. */
export function createAuthors(tx: Transaction): AuthorOf {
  const known = new Map<string, Author>();
  return (name, email) => {
    const isProgram = isBot(name, email);
    const key = email.toLowerCase();
    const place = `${isProgram} ${key}`;
    const found = known.get(place) ?? { id: storedAuthor(tx, key, isProgram), isBot: isProgram };
    known.set(place, found);
    return found;
  };
}

function storedAuthor(tx: Transaction, email: string, isProgram: boolean): number {
  const bot = isProgram ? 1 : 0;
  tx.run("INSERT OR IGNORE INTO authors (email, is_bot) VALUES (?, ?)", email, bot);
  const sql = "SELECT id FROM authors WHERE email = ? AND is_bot = ?";
  return tx.get<{ id: number }>(sql, email, bot)?.id ?? 0;
}

export interface CoAuthorOptions {
  readonly authorOf: AuthorOf;
  /** Those whom contacts such as `Ann <ann@example.com>` stand for, in their order. */
  mapped(contacts: readonly string[]): Promise<readonly string[]>;
  /** Is told of each who is no program. */
  credit(files: ReadonlySet<number>, author: number): void;
}

export interface CoAuthors {
  /** Notes whom the message of a commit names that touched some files. */
  note(commit: number, files: ReadonlySet<number>, message: string): void;
  /** Asks at once who all of them are, and writes it. */
  finish(): Promise<void>;
}

interface Named {
  readonly commit: number;
  readonly files: ReadonlySet<number>;
  readonly contacts: readonly string[];
}

/** Gathers those who are named in messages. */
export function createCoAuthors(
  tx: Transaction,
  { authorOf, mapped, credit }: CoAuthorOptions,
): CoAuthors {
  const named: Named[] = [];

  function write({ commit, files }: Named, contact: string): void {
    const author = authorOf(...nameAndEmail(contact));
    const sql = "INSERT OR IGNORE INTO co_authors (commit_id, author_id) VALUES (?, ?)";
    tx.run(sql, commit, author.id);
    if (!author.isBot) credit(files, author.id);
  }

  return {
    note(commit, files, message) {
      const contacts = coAuthors(message);
      if (contacts.length > 0) named.push({ commit, files, contacts });
    },
    async finish() {
      const contacts = [...new Set(named.flatMap((one) => one.contacts))];
      if (contacts.length === 0) return;
      const all = await mapped(contacts);
      const meant = new Map(contacts.map((contact, at) => [contact, all[at] ?? contact]));
      for (const one of named) {
        for (const contact of one.contacts) write(one, meant.get(contact) ?? contact);
      }
    },
  };
}

function nameAndEmail(contact: string): [name: string, email: string] {
  const start = contact.lastIndexOf("<");
  return [contact.slice(0, start).trim(), contact.slice(start + 1, -1)];
}
