import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from './account';

const executeBit = 0o1;
const ownerShift = 6;
const groupShift = 3;

const mayTraverse = async (dir: string, { uid, gid }: Account): Promise<boolean> => {
  const { mode, uid: owner, gid: group } = await stat(dir);
  const shift = owner === uid ? ownerShift : group === gid ? groupShift : 0;
  return ((mode >> shift) & executeBit) === executeBit;
};

/** The nearest directory above (or at) the path that the account may not pass through, if there is one. */
export const barrierFor = async (
  target: string,
  account: Account | undefined,
): Promise<string | undefined> => {
  if (account === undefined) return undefined;
  for (let dir = path.resolve(target); ; dir = path.dirname(dir)) {
    const passes = await mayTraverse(dir, account).catch(() => true);
    if (!passes) return dir;
    if (dir === path.dirname(dir)) return undefined;
  }
};
