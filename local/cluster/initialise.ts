import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account';
import { barrierFor } from './reach';

const run = promisify(execFile);

interface NewCluster {
  initdb: string;
  dataDir: string;
  user: string;
  password: string;
  account: Account | undefined;
}

/** Texts are compared by code point and folded by Unicode, the same on every machine. */
const COLLATION_FLAGS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/** Full-text search and trigrams split words by the C library, which needs a UTF-8 locale for that. */
async function characterFlags(): Promise<string[]> {
  const names = await run('locale', ['-a']).then(
    ({ stdout }) => stdout.split('\n'),
    () => [],
  );
  const unicode = names.find((name) => /^C\.utf-?8$/i.test(name));
  return unicode === undefined ? [] : [`--lc-ctype=${unicode}`];
}

async function changeOwner(target: string, account: Account | undefined) {
  if (account !== undefined) await chown(target, account.uid, account.gid);
}

async function initialise({ initdb, dataDir, user, password, account }: NewCluster): Promise<void> {
  // Only a finished cluster gets its name, so that an interrupted start leaves nothing that looks like one.
  const draft = `${dataDir}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await changeOwner(draft, account);
  const secretDir = await mkdtemp(path.join(tmpdir(), 'postgres-'));
  try {
    await changeOwner(secretDir, account);
    const passwordFile = path.join(secretDir, 'password');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await changeOwner(passwordFile, account);
    const flags = [
      `--pgdata=${draft}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
    ];
    await run(initdb, [...flags, ...COLLATION_FLAGS, ...(await characterFlags())], {
      ...account,
      cwd: secretDir,
    });
    await rename(draft, dataDir);
  } finally {
    await rm(secretDir, { recursive: true, force: true });
  }
}

/** Makes the cluster unless it is there. Throws, saying what to do, when its place can't hold one. */
export async function ensureCluster(cluster: NewCluster): Promise<void> {
  const { dataDir, account } = cluster;
  const parent = path.dirname(dataDir);
  await mkdir(parent, { recursive: true });
  const barrier = await barrierFor(parent, account);
  if (barrier !== undefined)
    throw new Error(
      `PostgreSQL runs as the account "postgres", which may not enter ${barrier}. ` +
        'Set DATA_DIR to a directory outside it (such as /var/lib/marketplace), or start as another user.',
    );
  const version = await readFile(path.join(dataDir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await initialise(cluster);
    return;
  }
  await chmod(dataDir, 0o700);
}
