import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { diskBlobs } from '../../db/blobs/disk';
import type { Log } from '../logs/log';
import { temporalServerVersion } from '../toolchain/temporal-cli';
import { BlobCopy } from './blob-copy';
import { ClusterBackup } from './cluster/cluster-backup';
import { keyChecks, MANIFEST, manifestText, PARTS, type Contents } from './manifest';
import type { Origin } from './origin';
import { storeFile, syncFolder } from './stored-file';
import { stageTemporal, storeTemporal } from './temporal-store';

/** The end of the name of a folder that is no whole backup yet. */
const UNFINISHED = '.unfinished';

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/**
 * Backs up database, Temporal's processes and files into a new folder, which gets its name once all of it is on the disk;
 * after a failure nothing is left. The platform goes on meanwhile, but for Temporal's server during a copy of its file.
 *
 * The order: files first, since they are many and never change. Then the database's files. Then Temporal stands still, and
 * both are taken as they are at that moment: no process is younger than its row, since it cannot have gone on before the
 * server does; and a row that is younger than its process's last step comes from a step that is repeated and finds itself
 * done. Last the files again, so that those of every row are there.
 */
export async function makeBackup(
  origin: Origin,
  target: string,
  log: Log,
  signal: AbortSignal,
): Promise<Contents> {
  const draft = `${target}${UNFINISHED}`;
  for (const folder of [target, draft])
    if (await exists(folder)) throw new Error(`${folder} is there already: it is not overwritten.`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const contents = await fill(draft, origin, log, signal);
    const text = manifestText(contents, origin.keys);
    await writeFile(path.join(draft, MANIFEST), text, { mode: 0o600, flag: 'wx', flush: true });
    await syncFolder(draft);
    await rename(draft, target);
    await syncFolder(path.dirname(target));
    return { format: 1, ...contents };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // What it was stopped for, rather than what that broke off.
    signal.throwIfAborted();
    throw error;
  }
}

async function fill(
  folder: string,
  origin: Origin,
  log: Log,
  signal: AbortSignal,
): Promise<Omit<Contents, 'format'>> {
  const blobs = new BlobCopy(diskBlobs(origin.blobDir), diskBlobs(path.join(folder, PARTS.blobDir)));
  log('copying files');
  await blobs.pass(signal);
  const stagingDir = path.join(origin.data.dir, 'backup-staging');
  const store = { file: origin.data.temporalDb, server: origin.temporal, stagingDir };
  const cluster = await ClusterBackup.open({ url: origin.databaseUrl, dataDir: origin.clusterDir });
  try {
    log('copying the database');
    const files = [await cluster.copy(folder, signal)];
    await blobs.pass(signal);
    const { pausedMs } = await stageTemporal(store, () => cluster.end());
    const madeAt = new Date().toISOString();
    await blobs.pass(signal);
    if (store.server !== undefined) log(`Temporal was paused for ${Math.ceil(pausedMs)} ms`);
    files.push(...(await cluster.copyLog(folder, signal)));
    files.push(...(await storeTemporal(store, folder, signal)));
    files.push(await storeFile(folder, PARTS.blobList, Readable.from(blobs.list()), signal));
    const { version, migration } = cluster.facts;
    return {
      madeAt,
      migration,
      postgres: { version, machine: `${process.platform}-${process.arch}` },
      temporal: { version: await temporalServerVersion(log) },
      blobs: blobs.figures,
      keys: keyChecks(origin.keys),
      files,
    };
  } finally {
    await cluster.close();
    await rm(stagingDir, { recursive: true, force: true });
  }
}
