export const OPEN: boolean;
export function completeHistory(repository: string): void;
export function digestOf(content: string | Buffer): string;
export function freeze(path: string, folder?: string): void;
export function frozenHistories(folder?: string): Map<string, string>;
export function frozenSince(repository: string, list?: string): string | null;
export function linesRemoved(repository: string, list: string): string[];
