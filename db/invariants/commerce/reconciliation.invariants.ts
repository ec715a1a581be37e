import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Rules of the comparison with payment providers. */
export const reconciliationInvariants: readonly Invariant[] = [
  {
    id: 'reconciliation.books-fees-once',
    says: 'Each fee of a compared day is booked once, as our expense from the clearing account; those of chargebacks only with these.',
    sql: `SELECT m.provider || ':' || m.provider_id AS entity, format('%s %s of %s%s, %s clears %s and is an expense of %s',
        m.amount_minor, m.currency, m.day, ' for ' || m.reference, coalesce(b.fee, 'nothing'), b.cleared, b.expense)
        AS detail
      FROM provider_movements m LEFT JOIN (
        SELECT t.subject_id AS provider, t.part AS fee,
          sum(e.amount_minor) FILTER (WHERE starts_with(e.account, 'clearing_')) AS cleared,
          -sum(e.amount_minor) FILTER (WHERE e.account = 'provider_fees') AS expense
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'fee')} GROUP BY 1, 2
      ) b ON b.provider = m.provider AND b.fee = m.provider_id
      WHERE m.kind = 'FEE' AND m.compared_at IS NOT NULL AND CASE WHEN m.reference IS NOT NULL THEN b.fee IS NOT NULL
        ELSE b.cleared IS NULL OR b.cleared IS DISTINCT FROM b.expense END`,
  },
  {
    id: 'reconciliation.is-done-when-compared',
    says: 'Every movement of a day whose run is DONE was compared by that run.',
    sql: `SELECT r.id AS entity, format('%s of %s, compared %s; %s %s compared %s', r.day, r.provider, r.compared_at, m.kind,
        m.provider_id, coalesce(m.compared_at::text, 'never')) AS detail
      FROM provider_reconciliations r JOIN provider_movements m ON m.provider = r.provider AND m.day = r.day
      WHERE r.compared_at IS NOT NULL AND m.compared_at IS DISTINCT FROM r.compared_at`,
  },
];
