import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from './account';

const EXECUTE_BIT = 0o1;
const OWNER_SHIFT = 6;
const GROUP_SHIFT = 3;

async function mayTraverse(dir: string, { uid, gid }: Account): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(dir);
  const shift = owner === uid ? OWNER_SHIFT : group === gid ? GROUP_SHIFT : 0;
  return ((mode >> shift) & EXECUTE_BIT) === EXECUTE_BIT;
}

/** The nearest directory above (or at) the path that the account may not pass through, if there is one. */
export async function barrierFor(target: string, account: Account | undefined): Promise<string | undefined> {
  if (account === undefined) return undefined;
  for (let dir = path.resolve(target); ; dir = path.dirname(dir)) {
    const passes = await mayTraverse(dir, account).catch(() => true);
    if (!passes) return dir;
    if (dir === path.dirname(dir)) return undefined;
  }
}
