import { COMMISSION_KINDS, SPENDING_KINDS } from '../../../workflows/ledger/reference.rules';
import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** The amounts that the transfers of commissions brought to balances, by the commission that the reference names. */
const BOOKED = `SELECT t.subject_id AS commission_id, e.user_id, e.currency,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'partner_pending'), 0) AS pending,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'partner_available'), 0) AS available
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.user_id IS NOT NULL
  WHERE ${isOf('t', ...COMMISSION_KINDS)} GROUP BY 1, 2, 3`;

/** Rules of the money of commissions: rows, transfers and balances say the same. */
export const commissionBalanceInvariants: readonly Invariant[] = [
  {
    id: 'commissions.lie-where-they-are-booked',
    says: "The transfers of a commission and of what was taken back of it have brought to its partner's pending balance what is PENDING or HELD, and to the available one what is APPROVED or PAID.",
    sql: `WITH due AS (
        SELECT coalesce(c.reversal_of, c.id)::text AS family, p.user_id, c.currency,
          coalesce(sum(c.net_minor) FILTER (WHERE c.status IN ('PENDING', 'HELD')), 0) AS pending,
          coalesce(sum(c.net_minor) FILTER (WHERE c.status IN ('APPROVED', 'PAID')), 0) AS available
        FROM partner_commissions c JOIN partners p ON p.id = c.partner_id GROUP BY 1, 2, 3
      ), booked AS (
        SELECT coalesce(c.reversal_of::text, b.commission_id) AS family, b.user_id, b.currency,
          sum(b.pending) AS pending, sum(b.available) AS available
        FROM (${BOOKED}) AS b LEFT JOIN partner_commissions c ON c.id::text = b.commission_id GROUP BY 1, 2, 3
      )
      SELECT family AS entity, format('pending %s and available %s by its rows, %s and %s by transfers',
        coalesce(d.pending, 0), coalesce(d.available, 0), coalesce(b.pending, 0), coalesce(b.available, 0)) AS detail
      FROM due d FULL JOIN booked b USING (family, user_id, currency)
      WHERE coalesce(d.pending, 0) <> coalesce(b.pending, 0) OR coalesce(d.available, 0) <> coalesce(b.available, 0)`,
  },
  {
    id: 'commissions.are-the-balances-of-partners',
    says: "What a partner's pending and available balances hold is the commissions that are not reversed, less what was spent in orders and did not come back, and less payouts.",
    sql: `WITH entries AS (
        SELECT e.user_id, e.currency, sum(e.amount_minor) AS held, coalesce(sum(e.amount_minor)
          FILTER (WHERE ${isOf('t', 'payout', ...SPENDING_KINDS)}), 0) AS used
        FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
        WHERE e.account IN ('partner_pending', 'partner_available') GROUP BY 1, 2
      ), earned AS (
        SELECT p.user_id, c.currency, sum(c.net_minor) AS minor
        FROM partner_commissions c JOIN partners p ON p.id = c.partner_id WHERE c.status <> 'REVERSED' GROUP BY 1, 2
      )
      SELECT p.id AS entity, format('holds %s, used %s, earned %s', coalesce(e.held, 0), -coalesce(e.used, 0),
        coalesce(k.minor, 0)) AS detail
      FROM entries e FULL JOIN earned k USING (user_id, currency) JOIN partners p USING (user_id)
      WHERE coalesce(e.held, 0) <> coalesce(k.minor, 0) + coalesce(e.used, 0)`,
  },
  {
    id: 'commissions.adjustments-are-recorded',
    says: 'Each adjustment of a commission has its audit record, and no transfer is of an adjustment that was not made.',
    sql: `WITH adjusted AS (
        SELECT id::text AS entity, adjustments FROM partner_commissions WHERE adjustments > 0
      ), recorded AS (
        SELECT entity_id AS entity, count(*) AS records FROM audit_records
        WHERE entity_type = 'commission' AND action = 'commission.adjust' GROUP BY 1
      ), booked AS (
        SELECT t.subject_id AS entity, max(t.part::int) AS latest
        FROM ledger_transfers t WHERE ${isOf('t', 'commission-adjustment')} GROUP BY 1
      )
      SELECT entity, format('%s adjustments, %s records, transfers up to %s', coalesce(c.adjustments, 0),
        coalesce(a.records, 0), coalesce(m.latest, 0)) AS detail
      FROM adjusted c FULL JOIN recorded a USING (entity) FULL JOIN booked m USING (entity)
      WHERE coalesce(a.records, 0) <> coalesce(c.adjustments, 0) OR coalesce(m.latest, 0) > coalesce(c.adjustments, 0)`,
  },
];
