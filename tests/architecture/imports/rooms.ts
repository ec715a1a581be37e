/** A file and the files that it imports, by paths from the root. */
export interface ImportingFile {
  source: string;
  dependencies: readonly { resolved: string }[];
}

/** A room is a folder, at most three levels deep; what is deeper belongs to it. */
const LEVELS = 3;

const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, LEVELS).join('/');

const isWithin = (room: string, outer: string): boolean => room.startsWith(`${outer}/`);

/**
 * Pairs of rooms, none of which is within the other, that import each other, as `a <-> b` in alphabetical order: neither
 * can be read, or moved, without the other.
 */
export function roomsImportingEachOther(files: readonly ImportingFile[]): string[] {
  const imports = new Set<string>();
  for (const { source, dependencies } of files)
    for (const { resolved } of dependencies) imports.add(`${roomOf(source)} ${roomOf(resolved)}`);
  const pairs: string[] = [];
  for (const edge of imports) {
    const [from = '', to = ''] = edge.split(' ');
    if (from >= to || isWithin(from, to) || isWithin(to, from)) continue;
    if (imports.has(`${to} ${from}`)) pairs.push(`${from} <-> ${to}`);
  }
  return pairs.sort();
}
