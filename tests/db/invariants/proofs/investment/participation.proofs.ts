import type { Tx } from '../../../../../db/sql/query';
import { change, type Proof } from '../../proof';
import type { Participations } from '../../participating';

/** Breaks something of a participation or its strategy, and names it. */
const of = (
  invariant: string,
  how: string,
  kind: keyof Participations,
  statement: string,
  named?: (tx: Tx) => string,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { participations }) {
    await change(tx, statement, [participations[kind]]);
    return named?.(tx) ?? participations[kind];
  },
});

export const participationProofs: readonly Proof[] = [
  of(
    'strategies.reserve-what-is-promised',
    'a cent that nobody has promised',
    'strategyId',
    'UPDATE investment_strategies SET reserved_minor = reserved_minor + 1 WHERE id = $1',
  ),
  of(
    'strategies.count-what-began',
    'a participant too many',
    'strategyId',
    'UPDATE investment_strategies SET total_participants = total_participants + 1 WHERE id = $1',
  ),
  of(
    'strategies.count-what-began',
    'a running participation that is not counted',
    'strategyId',
    'UPDATE investment_strategies SET active_participations = active_participations - 1 WHERE id = $1',
  ),
  of(
    'participations.add-up',
    'a running one without its deposit',
    'running',
    `WITH deposit AS (DELETE FROM investment_transactions WHERE participation_id = $1)
     DELETE FROM domain_events WHERE entity_id = $1`,
  ),
  of(
    'participations.add-up',
    'a profit that it does not count',
    'matured',
    `UPDATE participations SET earned_minor = earned_minor + 1 WHERE id = $1`,
  ),
  of(
    'participations.add-up',
    'a deposit that another provider has',
    'running',
    `UPDATE investment_transactions SET provider_code = 'another' WHERE participation_id = $1`,
  ),
  of(
    'participations.go-on-in-one-other',
    'a next term that began before the last one ended',
    'next',
    `UPDATE participations SET started_at = started_at - interval '1 day' WHERE id = $1`,
  ),
];
