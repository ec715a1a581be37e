import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import type { Account } from '../../cluster/account';
import type { PostgresBinaries } from '../../cluster/binaries';
import type { Log } from '../../logs/log';
import { BUILT } from '../../machine/preflight';
import { startPostgres } from '../../servers/postgres';
import { runTask } from '../../task';
import { PARTS, type Contents } from '../manifest';
import { storedBytes } from '../stored-file';

interface Target {
  dataDir: string;
  account: Account | undefined;
  binaries: PostgresBinaries;
}

const KEPT_CHARACTERS = 2_000;

/** Feeds a program and waits for its end. Throws with the end of its output when it fails. */
async function feed(child: ChildProcess, name: string, input: Readable | string): Promise<void> {
  let tail = '';
  const keep = (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-KEPT_CHARACTERS));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => undefined);
  const stdin = child.stdin as Writable;
  // Its output says more than a closed pipe.
  const fed = typeof input === 'string' ? Promise.resolve(stdin.end(input)) : pipeline(input, stdin);
  const failure = await fed.then(
    () => undefined,
    (error: unknown) => error,
  );
  const [code] = await ended;
  if (code !== 0) throw new Error(`${name} ended with code ${String(code)}: ${tail.trim()}`);
  if (failure !== undefined) throw new Error(`${name} could not be fed.`, { cause: failure });
}

/** Unpacks the cluster's files and the log that belongs to them, for the account that the server runs as. */
export async function unpackCluster(
  folder: string,
  { files }: Pick<Contents, 'files'>,
  { dataDir, account }: Target,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chmod(dataDir, 0o700);
  if (account !== undefined) await chown(dataDir, account.uid, account.gid);
  const child = spawn('tar', ['-x', '-p', '-f', '-', '-C', dataDir], { ...account, cwd: '/', stdio: 'pipe' });
  await feed(child, 'tar', storedBytes(folder, { name: PARTS.cluster }));
  for (const { name } of files) {
    if (!name.startsWith(`${PARTS.walDir}/`)) continue;
    const file = path.join(dataDir, 'pg_wal', path.basename(name, '.gz'));
    await pipeline(
      storedBytes(folder, { name }),
      createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    );
    if (account !== undefined) await chown(file, account.uid, account.gid);
  }
}

/**
 * Replays the log and gives the superuser the password of this machine's secrets, in the server's single-user mode, which
 * nobody can connect to.
 */
export async function recoverCluster(
  { dataDir, account, binaries }: Target,
  password: string,
): Promise<void> {
  const child = spawn(binaries.postgres, ['--single', '-D', dataDir, '-c', 'exit_on_error=on', 'postgres'], {
    ...account,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_MESSAGES: 'C', TZ: 'UTC' },
    stdio: 'pipe',
  });
  const quoted = password.replaceAll("'", "''");
  await feed(child, 'PostgreSQL', `ALTER ROLE postgres PASSWORD '${quoted}'\n`);
}

/**
 * Starts the restored server for a moment. Throws when the database is not the one of the backup; else records the restore in
 * it, so that the platform sends no money before a person has compared what was sent after the backup.
 */
export async function completeCluster(
  dataDir: string,
  password: string,
  { migration, madeAt }: Pick<Contents, 'migration' | 'madeAt'>,
  log: Log,
): Promise<void> {
  const server = await startPostgres({ dataDir, password, log });
  try {
    await requireMigration(server.url, migration);
    await runTask({
      name: 'restored',
      file: BUILT.restored,
      args: ['begin', madeAt],
      env: { DATABASE_URL: server.url },
      ownsTerminal: false,
      output: log,
      signal: new AbortController().signal,
    });
  } finally {
    await server.stop();
  }
}

async function requireMigration(url: string, migration: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ newest: string }>(
      'SELECT max(name) AS newest FROM schema_migrations',
    );
    if (rows[0]?.newest !== migration)
      throw new Error(
        `The restored database has the migration ${String(rows[0]?.newest)}, not ${migration}.`,
      );
  } finally {
    await client.end();
  }
}
