import type { Invariant } from '../invariant';

/** Every transaction of a kind is announced once under its own reference, with its amount, and nothing else is. */
const announced = (type: string, transactions: string): string =>
  `SELECT coalesce(t.participation_id, e.entity_id) AS entity, format('transaction %s of %s, announced %s',
      coalesce(t.id::text, 'unknown'), coalesce(t.amount_minor::text, 'nothing'),
      coalesce(e.data ->> 'amountMinor', 'nothing')) AS detail
    FROM (SELECT * FROM investment_transactions WHERE ${transactions}) t
    FULL JOIN (SELECT * FROM domain_events WHERE type = '${type}') e ON e.reference = '${type}:' || t.id
    WHERE t.id IS NULL OR e.id IS NULL OR (e.data ->> 'amountMinor')::bigint <> t.amount_minor
      OR e.entity_id <> t.participation_id`;

/** Rules of the domain events of investment, from which commissions are computed. */
export const investmentEventInvariants: readonly Invariant[] = [
  {
    id: 'events.announce-investments',
    says: 'The deposit of each participation is announced once, with its amount; nothing else is.',
    sql: announced('investment.created', `type = 'DEPOSIT'`),
  },
  {
    id: 'events.announce-profits',
    says: 'Each profit above zero is announced once, with its amount; nothing else is.',
    sql: announced('profit.distributed', `type = 'PROFIT' AND amount_minor > 0`),
  },
];
