import { audited } from '../../../db/administration/audit/audit.writes';
import { isDifferenceOf } from '../../../db/commerce/reconciliation/difference-owner.reads';
import {
  lockDifference,
  resolveDifference,
} from '../../../db/commerce/reconciliation/difference-resolution.writes';
import type { DifferenceRow } from '../../../db/commerce/reconciliation/reconciliation.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';

/**
 * Resolves an open difference by an administrator's explanation. One that is resolved already is answered as it is,
 * unrecorded. Refused: DIFFERENCE_NOT_FOUND; FORBIDDEN for one about the administrator's own money.
 */
export const resolveOpenDifference = (
  db: Db,
  { id, note }: { id: string; note: string },
  by: Actor & { actorId: string },
): Promise<DifferenceRow> =>
  inTransaction(db, async (tx) => {
    const difference = await lockDifference(tx, id);
    if (!difference) throw refusal('DIFFERENCE_NOT_FOUND');
    if (difference.resolvedAt !== null) return difference;
    if (await isDifferenceOf(tx, difference, by.actorId))
      throw refusal('FORBIDDEN', 'You cannot resolve a difference about your own money.');
    const at = new Date();
    const resolution = { resolvedAt: at, resolvedBy: by.actorId, note };
    await resolveDifference(tx, id, resolution);
    const { kind, provider, movementKind, ourMinor, theirMinor } = difference;
    await audited(
      tx,
      { ...by, at },
      'reconciliation-difference.resolve',
      id,
      { status: 'OPEN' },
      { status: 'RESOLVED', provider, kind, movementKind, ourMinor, theirMinor, note },
    );
    return { ...difference, ...resolution };
  });
