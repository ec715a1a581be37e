import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Log } from '../logs/log';
import { messageOf } from '../failure';

export interface Account {
  uid: number;
  gid: number;
}

const run = promisify(execFile);
const accountName = 'postgres';

const idOf = async (flag: '-u' | '-g') => Number((await run('id', [flag, accountName])).stdout);

const find = async (): Promise<Account | undefined> => {
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    return undefined;
  }
};

/**
 * The account that PostgreSQL must run as, since it refuses to run as root: made if it isn't there.
 * Undefined for anybody else, who runs it under the own account. Throws when it can't be made.
 */
export const postgresAccount = async (log: Log): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await find();
  if (existing !== undefined) return existing;
  log(`PostgreSQL does not run as root: making the system account "${accountName}"`);
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', accountName]);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root and the account "${accountName}" could not be made (${messageOf(error)}). ` +
        'Start as another user, or set DATABASE_URL to a server that runs already.',
      { cause: error },
    );
  }
  const made = await find();
  if (made === undefined) throw new Error(`The account "${accountName}" was made but is not found.`);
  return made;
};
