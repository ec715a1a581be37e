import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../logs/log';
import { messageOf } from '../failure';

export interface Account {
  uid: number;
  gid: number;
}

const run = promisify(execFile);
const ACCOUNT_NAME = 'postgres';

const idOf = async (flag: '-u' | '-g') => Number((await run('id', [flag, ACCOUNT_NAME])).stdout);

async function findAccount(): Promise<Account | undefined> {
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    return undefined;
  }
}

/**
 * The account that PostgreSQL must run as, since it refuses to run as root: made if it isn't there.
 * Undefined for anybody else, who runs it under the own account. Throws when it can't be made.
 */
export async function postgresAccount(log: Log): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await findAccount();
  if (existing !== undefined) return existing;
  log(`PostgreSQL does not run as root: making the system account "${ACCOUNT_NAME}"`);
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', ACCOUNT_NAME]);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root and the account "${ACCOUNT_NAME}" could not be made (${messageOf(error)}). ` +
        'Start as another user, or set DATABASE_URL to a server that runs already.',
      { cause: error },
    );
  }
  const made = await findAccount();
  if (made === undefined) throw new Error(`The account "${ACCOUNT_NAME}" was made but is not found.`);
  return made;
}
