import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { SealingConfig } from '../../db/sealing/config';
import type { KeyRing } from '../../db/sealing/key-ring';
import { readVariables } from '../../db/sql/environment/variables';
import { postgresAccount } from '../cluster/account';
import type { LocalConfig } from '../config';
import { codeOf } from '../failure';
import type { Log } from '../logs/log';
import { findDataDir, postgresDir, requireWhole, type DataDir } from '../machine/data-dir';
import { readSecrets } from '../machine/secrets';
import type { ProcessIdentity } from '../processes/identity';
import { runningChildren } from '../processes/leftovers';
import { acquireLock } from '../processes/lock';
import { startPostgres } from '../servers/postgres';

/** The platform of this machine as a backup finds it. */
export interface Origin {
  data: DataDir;
  /** The superuser's address of its database. */
  databaseUrl: string;
  /** The cluster's files. */
  clusterDir: string;
  blobDir: string;
  /** Temporal's server, while it runs. */
  temporal: ProcessIdentity | undefined;
  keys: KeyRing;
  /** Ends what was started for the backup. */
  release: () => Promise<void>;
}

const ELSEWHERE =
  'This machine uses servers of their own (DATABASE_URL, TEMPORAL_ADDRESS): back those up where they run. ' +
  'workers/OPERATING.md, "Back up and restore", says how.';

const superuserUrl = (port: string, password: string): string =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/marketplace`;

/** Finds the platform, whether it runs or not. Throws, saying why, when there is nothing here to back up. */
export async function openOrigin(config: LocalConfig, log: Log): Promise<Origin> {
  const data = await findDataDir(config.DATA_DIR);
  if (data === undefined) throw new Error(`${config.DATA_DIR}: nothing to back up. Check DATA_DIR.`);
  await requireWhole(data);
  const clusterDir = await postgresDir(data, await postgresAccount(log));
  const secrets = await readSecrets(data.secretsFile);
  const { SEALING_KEYS: keys } = readVariables(SealingConfig, { ...secrets, ...config.env });
  const own = await addressesOf(data);
  const blobDir = config.env['BLOB_DIR'] ?? (own['BLOB_DIR'] || path.join(data.dir, 'blobs'));
  const origin = { data, clusterDir, blobDir, keys };
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const)
    if (config[name] !== undefined && config[name] !== own[name]) throw new Error(ELSEWHERE);
  const lock = await acquireLock(data.lockFile);
  if ('heldBy' in lock) return { ...origin, ...(await whereItRuns(data, own, secrets.DATABASE_PASSWORD)) };
  try {
    await requireNoneLeft(data);
    const server = await startCluster(clusterDir, secrets.DATABASE_PASSWORD, log);
    const release = async () => {
      await server.stop();
      await lock.release();
    };
    return { ...origin, databaseUrl: server.url, temporal: undefined, release };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The addresses by which commands reach this platform; commands may have been given them, too. */
const addressesOf = async ({ environmentFile }: DataDir): Promise<NodeJS.Dict<string>> =>
  parseEnv(await readFile(environmentFile, 'utf8').catch(() => ''));

async function whereItRuns(
  data: DataDir,
  { DATABASE_URL: url }: NodeJS.Dict<string>,
  password: string,
): Promise<Pick<Origin, 'databaseUrl' | 'temporal' | 'release'>> {
  const children = await runningChildren(data.childrenFile);
  const find = (wanted: string) => children.find(({ name }) => name === wanted)?.process;
  const [postgres, temporal] = [find('PostgreSQL'), find('Temporal')];
  if (find('api') !== undefined && (postgres === undefined || temporal === undefined))
    throw new Error(ELSEWHERE);
  if (postgres === undefined || temporal === undefined || url === undefined)
    throw new Error(`The platform in ${data.dir} is starting or has stopped: try again when it is ready.`);
  const release = () => Promise.resolve();
  return { databaseUrl: superuserUrl(new URL(url).port, password), temporal, release };
}

/** Throws when programs of a platform go on that was killed: Temporal's would write to its file while that is copied. */
async function requireNoneLeft({ dir, childrenFile }: DataDir): Promise<void> {
  const left = await runningChildren(childrenFile);
  if (left.length === 0) return;
  const names = left.map(({ name, process: { pid } }) => `${name} (process ${pid})`);
  throw new Error(
    `The platform in ${dir} was killed, and of it goes on: ${names.join(', ')}. Start it with \`npm start\`, which ends what is ` +
      'left, and back up then.',
  );
}

async function startCluster(dataDir: string, password: string, log: Log) {
  const version = await readFile(path.join(dataDir, 'PG_VERSION')).catch((error: unknown) => codeOf(error));
  if (version === 'ENOENT')
    throw new Error(`${dataDir}: no database. Start the platform with \`npm start\`.`);
  log('the platform does not run: starting PostgreSQL for the backup');
  return startPostgres({ dataDir, password, log });
}
