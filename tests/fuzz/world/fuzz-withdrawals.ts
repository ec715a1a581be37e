import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { withdrawnByHand } from '../../support/builders/investing/withdrawing';
import type { Dictionaries } from './fuzz-world';

/** Withdrawals that a person has to send, and participations that the buyer may withdraw. */
export async function withdrawalsIn(db: Db, userId: string, spare: number): Promise<Dictionaries> {
  const running = Array.from({ length: spare }, () => make.participation(db, { status: 'ACTIVE', userId }));
  const byHand = Array.from({ length: spare }, () => withdrawnByHand(db));
  return {
    runningParticipations: (await Promise.all(running)).map(({ id }) => id),
    withdrawals: await Promise.all(byHand),
  };
}
