import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** `.ts` where sources run, as in tests; `.js` in `dist`, which has source maps too. */
const OWN_EXTENSION = extname(__filename);

/** A program file, or a folder of them; the name is without the extension. */
export interface ProgramFile {
  name: string;
  path: string;
}

/** The program files and the folders in a folder, by name; with `deep`, the files of its folders instead of them. */
export function programFiles(
  folder: string,
  { deep, extension = OWN_EXTENSION }: { deep: boolean; extension?: string },
): ProgramFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (deep) return programFiles(path, { deep, extension });
        // A build may have left a folder behind that is empty by now.
        return readdirSync(path).length > 0 ? [{ name: entry.name, path }] : [];
      }
      const isProgram = entry.name.endsWith(extension) && !entry.name.endsWith('.d.ts');
      return isProgram ? [{ name: entry.name.slice(0, -extension.length), path }] : [];
    });
}

/** All that the files of a kind, such as `x.model`, export in a folder and in its folders. */
export const exportsIn = (folder: string, kind: string): unknown[] =>
  programFiles(folder, { deep: true })
    .filter(({ name }) => name.endsWith(`.${kind}`))
    .flatMap(({ path }) => Object.values(module.require(path) as Record<string, unknown>));
