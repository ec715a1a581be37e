import { audited } from '../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../db/administration/audit/changed-fields';
import { hasOpenParticipations } from '../../../db/investment/participation/open-participations.reads';
import {
  recordOf,
  type StoredStrategy,
  type StrategyRecord,
} from '../../../db/investment/strategy/administered-strategy.reads';
import { setCapacity, updateStrategy } from '../../../db/investment/strategy/administered-strategy.writes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusal } from '../../../workflows/errors';
import type { Actor } from '../actor';
import { refusingUnknownCategory, requireConsistent, requireStrategy } from './strategy.requirements';

/**
 * Sets the given fields of a strategy; without a difference nothing is written. Participations keep the terms that they
 * began with. Refused: STRATEGY_NOT_FOUND, HAS_ACTIVE_PARTICIPATIONS, and VALIDATION_ERROR for terms that contradict
 * those that stay, an unknown category, and CAPACITY_BELOW_RESERVED. Chosen: the slug stays when the name changes.
 */
export function changeStrategy(
  db: Db,
  id: string,
  changes: Partial<StrategyRecord>,
  by: Actor,
): Promise<StoredStrategy> {
  return refusingUnknownCategory(
    inTransaction(db, async (tx) => {
      const before = await requireStrategy(tx, id);
      const kept = recordOf(before);
      const after = { ...kept, ...changes };
      const changed = changedFields(kept, after);
      if (!changed) return before;
      requireConsistent(after);
      if (changed.next.status === 'CLOSED') await requireNoParticipations(tx, id);
      const at = new Date();
      const { totalCapacityMinor, ...next } = changed.next;
      if (totalCapacityMinor !== undefined) await requireCapacity(tx, id, totalCapacityMinor, at);
      await updateStrategy(tx, id, next, at);
      await audited(tx, { ...by, at }, 'strategy.update', id, kept, after);
      return { ...before, ...changed.next, updatedAt: at };
    }),
  );
}

/** Refuses while there are any. Opening one holds the lock of the strategy until it is committed, so none is missed. */
async function requireNoParticipations(tx: Tx, id: string): Promise<void> {
  if (await hasOpenParticipations(tx, id)) throw refusal('HAS_ACTIVE_PARTICIPATIONS');
}

async function requireCapacity(tx: Tx, id: string, totalMinor: number | null, at: Date): Promise<void> {
  if (!(await setCapacity(tx, id, totalMinor, at)))
    throw businessRefusal('CAPACITY_BELOW_RESERVED', 'Participations already take more than this capacity.', {
      'investment.totalCapacity': ['is less than participations take'],
    });
}
