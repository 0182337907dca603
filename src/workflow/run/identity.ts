/** The identity of a call, by which a resumed run recognises what it has paid for already. */

import { canonicalJson, type Json } from "../../lib/json.ts";
import { sha256 } from "../../platform/hash.ts";

/** What makes two calls the same work. Phase is a label and takes no part. */
export interface CallContent {
  readonly primitive: string;
  readonly prompt: string;
  readonly label: string;
  /** Provider as the script asked for it; empty for the default, whatever that is today. */
  readonly provider: string;
  readonly model: string;
  readonly mode: string;
  readonly isolation: string;
  /** Canonical path of the repository the call works on. */
  readonly repo: string;
  readonly schema: Json;
  readonly args: Json;
  readonly network: boolean;
  /** Absent for the default of the provider. */
  readonly effort?: string;
  /** Of what merges a change: the trees before and after. */
  readonly change?: readonly string[];
}

export interface CallIdentity {
  /** Structural scope with ordinals, such as `parallel#1[3]/pipeline#0[2].1`. */
  readonly scope: string;
  readonly fingerprint: string;
  /** Counts equal fingerprints inside one scope, from 0. */
  readonly occurrence: number;
}

/** SHA-256 over the canonical JSON of the content. */
export function fingerprint(content: CallContent): string {
  return sha256(canonicalJson({ ...content }));
}

export function callKey(identity: CallIdentity): string {
  return `${identity.scope}:${identity.fingerprint}:${identity.occurrence}`;
}

/** The scope without the ordinals of siblings, which may swap under a plain `Promise.all`. */
export function looseScope(scope: string): string {
  return scope.replace(/#\d+/g, "");
}

/** Hands out the occurrence of each call of one execution. */
export function createOccurrences(): (scope: string, fingerprint: string) => number {
  const seen = new Map<string, number>();
  return (scope, print) => {
    const key = `${scope}:${print}`;
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    return occurrence;
  };
}
