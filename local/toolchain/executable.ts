import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Found, Step } from './chain';

/** Returns true for a file that this user may run. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The first executable of one of these names in the directories, or undefined. */
export async function findOnPath(names: string[], searchDirs: string[]): Promise<string | undefined> {
  for (const name of names)
    for (const dir of searchDirs) {
      const candidate = path.join(dir, name);
      if (await isExecutable(candidate)) return candidate;
    }
  return undefined;
}

/** The tool that a variable names. */
export const namedBy = (variable: string, value: string | undefined): Step => ({
  name: variable,
  find: async (): Promise<Found> => {
    if (value === undefined) return { skipped: 'not set' };
    if (!(await isExecutable(value))) throw new Error(`${value} is not an executable file`);
    return { path: value };
  },
});

/** The tool of one of these names on PATH. */
export const onPath = (names: string[], searchDirs: string[]): Step => ({
  name: `${names.join(' or ')} on PATH`,
  find: async (): Promise<Found> => {
    const found = await findOnPath(names, searchDirs);
    return found === undefined ? { skipped: 'not there' } : { path: found };
  },
});
