/** Scans the patch on stdin and prints what it finds as JSON. */
import { createSecretScanner } from "../../src/secrets/scanner.ts";

const scanner = createSecretScanner();
console.log(JSON.stringify(await scanner.scanDiff(await Bun.stdin.text())));
