import { randomUUID } from 'node:crypto';
import { access, chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Account } from '../cluster/account';
import { barrierFor } from '../cluster/reach';
import { codeOf, messageOf } from '../failure';

/** Written into every directory that this program has taken, and only there may it erase. */
const MARKER_NAME = '.marketplace-data';
const Marker = z.object({ id: z.uuid(), madeDirectory: z.boolean() });

export interface DataDir {
  dir: string;
  id: string;
  /** True when the directory itself was made here, so that erasing removes it too. */
  madeDirectory: boolean;
  lockFile: string;
  secretsFile: string;
  /** The variables by which commands reach the running platform. */
  environmentFile: string;
  childrenFile: string;
  logsDir: string;
  temporalDb: string;
  /** Is there while a restore is under way, and after one that was broken off. */
  unfinishedFile: string;
}

const layout = (dir: string, { id, madeDirectory }: z.output<typeof Marker>): DataDir => ({
  dir,
  id,
  madeDirectory,
  lockFile: path.join(dir, 'lock'),
  secretsFile: path.join(dir, 'secrets.json'),
  environmentFile: path.join(dir, 'platform.env'),
  childrenFile: path.join(dir, 'children.json'),
  logsDir: path.join(dir, 'logs'),
  temporalDb: path.join(dir, 'temporal.db'),
  unfinishedFile: path.join(dir, 'restore-unfinished'),
});

async function readMarker(dir: string): Promise<DataDir | undefined> {
  const text = await readFile(path.join(dir, MARKER_NAME), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return layout(dir, Marker.parse(JSON.parse(text)));
  } catch (error) {
    throw new Error(`${path.join(dir, MARKER_NAME)} is damaged; look at ${dir} before removing it by hand.`, {
      cause: error,
    });
  }
}

async function listing(dir: string): Promise<string[] | undefined> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`DATA_DIR ${dir} can't be used: ${messageOf(error)}`, { cause: error });
  }
}

const foreign = (dir: string) =>
  new Error(
    `${dir} was not made by this program (no ${MARKER_NAME} in it): it is left as it is. Check DATA_DIR.`,
  );

/** Throws for a directory in which a restore was broken off. */
export async function requireWhole({ dir, unfinishedFile }: DataDir): Promise<void> {
  const isThere = await access(unfinishedFile).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new Error(
      `${dir} holds half of a restore: wait for it to end; or, if it was broken off, erase it with ` +
        `\`DATA_DIR=${dir} npm run reset\` and restore again.`,
    );
}

/** Opens the data directory, or takes a new or empty one. Throws when it holds anything else. */
export async function openDataDir(dir: string): Promise<DataDir> {
  const existing = await readMarker(dir);
  if (existing !== undefined) {
    await requireWhole(existing);
    return existing;
  }
  const entries = await listing(dir);
  if (entries !== undefined && entries.length > 0) throw foreign(dir);
  await mkdir(dir, { recursive: true });
  // PostgreSQL runs under another account: it may pass through, but not list the directory.
  if (entries === undefined) await chmod(dir, 0o711);
  const draft = path.join(dir, `${MARKER_NAME}.${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ id: randomUUID(), madeDirectory: entries === undefined }));
  await rename(draft, path.join(dir, MARKER_NAME));
  const opened = await readMarker(dir);
  if (opened === undefined) throw foreign(dir);
  return opened;
}

/** The data directory if there is one to erase; throws when the directory isn't one of ours. */
export async function findDataDir(dir: string): Promise<DataDir | undefined> {
  const entries = await listing(dir);
  if (entries === undefined || entries.length === 0) return undefined;
  const existing = await readMarker(dir);
  if (existing === undefined) throw foreign(dir);
  return existing;
}

/** The directory of a cluster whose data directory the postgres account can't reach. */
const outsideDir = (id: string, base: string) => path.join(base, id);
const DEFAULT_BASE = '/var/lib/marketplace-platform';

/** The directory of the cluster: in the data directory, or outside when its account may not enter that. */
export async function postgresDir(
  data: DataDir,
  account: Account | undefined,
  base = DEFAULT_BASE,
): Promise<string> {
  const barrier = await barrierFor(data.dir, account);
  return path.join(barrier === undefined ? data.dir : outsideDir(data.id, base), 'postgres');
}

/** Erases all data, the marker last, so that an interrupted erasure can be repeated. */
export async function eraseDataDir(data: DataDir, base = DEFAULT_BASE): Promise<void> {
  await rm(outsideDir(data.id, base), { recursive: true, force: true });
  for (const entry of await readdir(data.dir))
    if (entry !== MARKER_NAME) await rm(path.join(data.dir, entry), { recursive: true, force: true });
  await rm(path.join(data.dir, MARKER_NAME));
  if (data.madeDirectory) await rmdir(data.dir);
}
