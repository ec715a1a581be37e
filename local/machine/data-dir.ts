import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Account } from '../cluster/account';
import { barrierFor } from '../cluster/reach';
import { codeOf, messageOf } from '../failure';

/** Written into every directory that this program has taken, and only there may it erase. */
const markerName = '.marketplace-data';
const marker = z.object({ id: z.uuid(), madeDirectory: z.boolean() });

export interface DataDir {
  dir: string;
  id: string;
  /** Whether the directory itself was made here, so that erasing takes it away too. */
  madeDirectory: boolean;
  lockFile: string;
  secretsFile: string;
  childrenFile: string;
  logsDir: string;
  temporalDb: string;
}

const layout = (dir: string, { id, madeDirectory }: z.output<typeof marker>): DataDir => ({
  dir,
  id,
  madeDirectory,
  lockFile: path.join(dir, 'lock'),
  secretsFile: path.join(dir, 'secrets.json'),
  childrenFile: path.join(dir, 'children.json'),
  logsDir: path.join(dir, 'logs'),
  temporalDb: path.join(dir, 'temporal.db'),
});

const readMarker = async (dir: string): Promise<DataDir | undefined> => {
  const text = await readFile(path.join(dir, markerName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return layout(dir, marker.parse(JSON.parse(text)));
  } catch (error) {
    throw new Error(`${path.join(dir, markerName)} is damaged; look at ${dir} before removing it by hand.`, {
      cause: error,
    });
  }
};

const listing = async (dir: string): Promise<string[] | undefined> => {
  try {
    return await readdir(dir);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`DATA_DIR ${dir} can't be used: ${messageOf(error)}`, { cause: error });
  }
};

const foreign = (dir: string) =>
  new Error(
    `${dir} was not made by this program (no ${markerName} in it): it is left alone. Check DATA_DIR.`,
  );

/** Opens the data directory, or takes a new or empty one. Throws when it holds anything else. */
export const openDataDir = async (dir: string): Promise<DataDir> => {
  const existing = await readMarker(dir);
  if (existing !== undefined) return existing;
  const entries = await listing(dir);
  if (entries !== undefined && entries.length > 0) throw foreign(dir);
  await mkdir(dir, { recursive: true });
  // Others may pass through, since PostgreSQL runs under another account, but not look around.
  if (entries === undefined) await chmod(dir, 0o711);
  const draft = path.join(dir, `${markerName}.${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ id: randomUUID(), madeDirectory: entries === undefined }));
  await rename(draft, path.join(dir, markerName));
  const opened = await readMarker(dir);
  if (opened === undefined) throw foreign(dir);
  return opened;
};

/** The data directory if there is one to erase; throws when the directory isn't one of ours. */
export const findDataDir = async (dir: string): Promise<DataDir | undefined> => {
  const entries = await listing(dir);
  if (entries === undefined || entries.length === 0) return undefined;
  const existing = await readMarker(dir);
  if (existing === undefined) throw foreign(dir);
  return existing;
};

/** Where root's clusters lie whose data directory the postgres account can't reach. */
const outsideDir = (id: string, base: string) => path.join(base, id);
const defaultBase = '/var/lib/marketplace-platform';

/** Where the cluster lies: in the data directory, or outside when its account may not enter that. */
export const postgresDir = async (
  data: DataDir,
  account: Account | undefined,
  base = defaultBase,
): Promise<string> => {
  const barrier = await barrierFor(data.dir, account);
  return path.join(barrier === undefined ? data.dir : outsideDir(data.id, base), 'postgres');
};

/** Erases all data, the marker last, so that an interrupted erasure can be repeated. */
export const eraseDataDir = async (data: DataDir, base = defaultBase): Promise<void> => {
  await rm(outsideDir(data.id, base), { recursive: true, force: true });
  for (const entry of await readdir(data.dir))
    if (entry !== markerName) await rm(path.join(data.dir, entry), { recursive: true, force: true });
  await rm(path.join(data.dir, markerName));
  if (data.madeDirectory) await rmdir(data.dir);
};
