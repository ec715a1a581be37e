import { audited } from '../../../../db/administration/audit/audit.writes';
import {
  acceptDifference,
  lockDifference,
} from '../../../../db/investment/reconciliation/difference-acceptance.writes';
import type { DifferenceRow } from '../../../../db/investment/reconciliation/investment-difference.reads';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';

/**
 * Accepts an open difference as it is, by the amounts that it answers. One that is accepted already keeps its first reason, and
 * one that is gone has nothing left to accept: both are answered as they are, unrecorded. Refused: DIFFERENCE_NOT_FOUND;
 * FORBIDDEN for one about a participation of their own.
 */
export const acceptOpenDifference = (
  db: Db,
  { id, reason }: { id: string; reason: string },
  by: Actor & { actorId: string },
): Promise<DifferenceRow> =>
  inTransaction(db, async (tx) => {
    const difference = await lockDifference(tx, id);
    if (!difference) throw refusal('DIFFERENCE_NOT_FOUND');
    const { kind, heldMinor, reportedMinor, acceptedAt, resolvedAt, ownerId } = difference;
    if (ownerId === by.actorId)
      throw refusal('FORBIDDEN', 'You cannot accept a difference about your own participation.');
    if (acceptedAt !== null || resolvedAt !== null) return difference;
    const at = new Date();
    await acceptDifference(tx, { id, reason, by: by.actorId, at });
    await audited(
      tx,
      { ...by, at },
      'investment-difference.accept',
      id,
      { state: 'OPEN' },
      { state: 'ACCEPTED', kind, heldMinor, reportedMinor, reason },
    );
    return { ...difference, acceptedAt: at, acceptedBy: by.actorId, acceptedBecause: reason };
  });
