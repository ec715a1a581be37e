import type { Db } from '../../../db/sql/query';
import { topUp } from '../../support/builders/wallets/top-ups';
import type { Dictionaries } from './fuzz-world';

/** Top-ups that wait for a transfer, and those of the buyer. */
export async function topUpsIn(db: Db, userId: string, spare: number): Promise<Dictionaries> {
  const others = Array.from({ length: spare }, () => topUp(db));
  const own = Array.from({ length: spare }, () => topUp(db, { userId }));
  const waiting = await Promise.all(others);
  return {
    topUps: waiting.map(({ id }) => id),
    purposes: waiting.map(({ number }) => number),
    ownTopUps: (await Promise.all(own)).map(({ id }) => id),
  };
}
