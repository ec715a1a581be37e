import { lockJoiner, type Joiner } from '../../../db/partners/membership/membership.writes';
import type { Tx } from '../../../db/sql/query';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { MOST_LEVELS } from '../../../workflows/partners/membership/membership.rules';

/** Locks a user who may join: an active account, whose place in the tree is not too deep. */
export async function requireJoiner(tx: Tx, userId: string): Promise<Joiner> {
  const joiner = await lockJoiner(tx, userId);
  if (!joiner || joiner.isClosed)
    throw refusal('FORBIDDEN', 'This account cannot join the partner programme.');
  if (joiner.sponsorLevel >= MOST_LEVELS)
    throw businessRefusal(
      'NETWORK_TOO_DEEP',
      `The network of your sponsor has ${MOST_LEVELS} levels, which is as many as there can be.`,
    );
  return joiner;
}
