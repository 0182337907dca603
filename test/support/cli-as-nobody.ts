/** The program from source, as somebody to whom permissions apply. */
import { giveUpRoot } from "./give-up-root.ts";

giveUpRoot();
await import("../../src/main.ts");
