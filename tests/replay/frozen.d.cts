/** Files that are only added. */
export interface Frozen {
  /** The path of the list of their digests. */
  list: string;
  folder: string;
  extension: string;
  /** What to do instead of changing one. */
  instead: string;
}
export const histories: Frozen;
export const migrations: Frozen;
export function completeHistory(repository: string): void;
export function differences(kind: Frozen): string[];
export function digestOf(content: string | Buffer): string;
export function freeze(kind: Frozen): string[];
export function frozenSince(repository: string, list?: string): string | null;
export function linesRemoved(repository: string, list: string): string[];
