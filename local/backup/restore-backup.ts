import { createWriteStream } from 'node:fs';
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { diskBlobs } from '../../db/blobs/disk';
import { SealingConfig } from '../../db/sealing/config';
import { readVariables } from '../../db/sql/environment/variables';
import { KNOWN_MIGRATIONS } from '../../db/schema/newer-schema.reads';
import { postgresAccount } from '../cluster/account';
import { postgresBinaries, postgresVersion } from '../cluster/binaries';
import type { LocalConfig } from '../config';
import type { Log } from '../logs/log';
import { checkBuilt } from '../machine/preflight';
import { eraseDataDir, openDataDir, postgresDir, type DataDir } from '../machine/data-dir';
import { loadSecrets, readSecrets } from '../machine/secrets';
import { acquireLock } from '../processes/lock';
import { temporalServerVersion } from '../toolchain/temporal-cli';
import { listedBlobs, verifiedBlob } from './blob-copy';
import { completeCluster, recoverCluster, unpackCluster } from './cluster/cluster-restore';
import { PARTS, readManifest, UnusableBackup, type Contents } from './manifest';
import { storedBytes, verifyFile } from './stored-file';

interface Restore {
  /** The backup. */
  folder: string;
  /** The secrets of the machine that it was made on; without it, the variables of this one. */
  secretsFile: string | undefined;
  config: LocalConfig;
  log: Log;
}

const majorOf = (version: string): string => version.split('.')[0] ?? '';
const isNewer = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) > 0;

/** Throws UnusableBackup when this machine, or this release, cannot run what is in the backup. */
async function requireVersions({ postgres, temporal, migration }: Contents, log: Log): Promise<void> {
  const machine = `${process.platform}-${process.arch}`;
  if (postgres.machine !== machine)
    throw new UnusableBackup(
      `The backup was made on ${postgres.machine}; PostgreSQL's files do not suit ${machine}.`,
    );
  const own = await postgresVersion(await postgresAccount(log), log);
  if (majorOf(own) !== majorOf(postgres.version))
    throw new UnusableBackup(
      `The backup has the files of PostgreSQL ${postgres.version}, this release runs ${own}: use a release with that.`,
    );
  if (!KNOWN_MIGRATIONS.includes(migration))
    throw new UnusableBackup(
      `The backup is of a newer release: this one does not know its migration ${migration}.`,
    );
  const server = await temporalServerVersion(log);
  if (isNewer(temporal.version, server))
    throw new UnusableBackup(
      `The backup was made with Temporal ${temporal.version}, and ${server} is older.`,
    );
}

async function requireEmpty(folder: string, wayOut: string): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length > 0) throw new Error(`${folder} is not empty: a restore overwrites nothing. ${wayOut}`);
}

/** Throws where the platform would not use what is restored: variables of a shell that worked with another platform. */
function requireOwnServers(config: LocalConfig): void {
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const)
    if (config[name] !== undefined)
      throw new Error(
        `${name} is set: a restored platform would use that server and not its own. Unset it, or use a new shell.`,
      );
}

/**
 * Makes the platform of a backup anew in an empty data directory. First checks the backup as a whole, its keys and its
 * versions, and only then writes; after a failure nothing is left.
 */
export async function restoreBackup({ folder, secretsFile, config, log }: Restore): Promise<Contents> {
  requireOwnServers(config);
  const { DATA_DIR: dir } = config;
  await requireEmpty(
    dir,
    `Set DATA_DIR to a new folder, or erase it with \`DATA_DIR=${dir} npm run reset\`.`,
  );
  const blobDir = config.env['BLOB_DIR'] ?? path.join(dir, 'blobs');
  await requireEmpty(blobDir, 'Unset BLOB_DIR, or set it to a new folder.');
  const given = secretsFile === undefined ? undefined : await readSecrets(path.resolve(secretsFile));
  const variables: NodeJS.Dict<string> = { ...given, ...config.env };
  if (variables['SEALING_KEYS'] === undefined)
    throw new Error(
      'Give the secrets.json of the machine of the backup (--secrets=FILE), or set SEALING_KEYS.',
    );
  const { SEALING_KEYS: keys } = readVariables(SealingConfig, variables);
  await checkBuilt();
  const contents = await readManifest(folder, keys);
  await requireVersions(contents, log);
  log('checking the backup');
  await verifyAll(folder, contents);
  const data = await openDataDir(config.DATA_DIR);
  const lock = await acquireLock(data.lockFile);
  if ('heldBy' in lock) throw new Error(`${data.dir} is in use by process ${lock.heldBy.pid}.`);
  try {
    await writeFile(data.unfinishedFile, '');
    if (secretsFile !== undefined) await copyFile(path.resolve(secretsFile), data.secretsFile);
    await write({ folder, contents, data, blobDir, log });
    await rm(data.unfinishedFile);
    await lock.release();
    return contents;
  } catch (error) {
    await clear(blobDir);
    await eraseDataDir(data);
    throw error;
  }
}

/** Removes what is in a folder, and leaves the folder, which others may have made. */
async function clear(folder: string): Promise<void> {
  for (const entry of await readdir(folder).catch(() => []))
    await rm(path.join(folder, entry), { recursive: true, force: true });
}

async function verifyAll(folder: string, { files }: Contents): Promise<void> {
  for (const file of files) await verifyFile(folder, file);
  const from = diskBlobs(path.join(folder, PARTS.blobDir));
  for await (const blob of listedBlobs(folder)) await verifiedBlob(from, blob);
}

interface Writing {
  folder: string;
  contents: Contents;
  data: DataDir;
  blobDir: string;
  log: Log;
}

async function write({ folder, contents, data, blobDir, log }: Writing): Promise<void> {
  const { DATABASE_PASSWORD: password } = await loadSecrets(data.secretsFile);
  const account = await postgresAccount(log);
  const dataDir = await postgresDir(data, account);
  const binaries = await postgresBinaries(account, log);
  const target = { dataDir, account, binaries };
  log('restoring the database');
  await unpackCluster(folder, contents, target);
  await recoverCluster(target, password);
  await completeCluster(dataDir, password, contents, log);
  log("restoring Temporal's processes and files");
  for (const { name } of contents.files) {
    if (!name.startsWith(`${PARTS.temporalDir}/`)) continue;
    const file = path.join(path.dirname(data.temporalDb), path.basename(name, '.gz'));
    await pipeline(
      storedBytes(folder, { name }),
      createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    );
  }
  const [from, to] = [diskBlobs(path.join(folder, PARTS.blobDir)), diskBlobs(blobDir)];
  for await (const blob of listedBlobs(folder)) await to.put(blob.name, await verifiedBlob(from, blob));
}
