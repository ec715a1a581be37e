import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';
import { OPEN_PAYOUTS } from '../../../workflows/commerce/payout/payout.states';
import { literals } from '../../sql/query';

const OPEN = `(${literals(OPEN_PAYOUTS)})`;

/** Rules of payouts of partners and of withdrawals from wallets: money leaves once, and is always in one place. */
export const payoutInvariants: readonly Invariant[] = [
  {
    id: 'payouts.are-held',
    says: 'A hold is the amount of its open payout, or of its investment that is on the way to its owner, and there is no other.',
    sql: `SELECT coalesce(h.hold_id, o.id) AS entity, format('%s is held, its amount is %s %s', coalesce(h.minor, 0), coalesce(o.minor, 0),
        coalesce(h.currency, o.currency)) AS detail
      FROM (SELECT hold_id, user_id, currency, balance_minor AS minor FROM ledger_holds WHERE balance_minor > 0) AS h
      FULL JOIN (
        SELECT id, user_id, currency, amount_minor AS minor FROM payouts WHERE status IN ${OPEN}
        UNION ALL SELECT id, user_id, currency, net_minor FROM investment_withdrawals WHERE status = 'PROCESSING') AS o
        ON o.id = h.hold_id AND o.user_id = h.user_id AND o.currency = h.currency
      WHERE coalesce(h.minor, 0) <> coalesce(o.minor, 0)`,
  },
  {
    id: 'payouts.holds-are-balances',
    says: 'The holds of a person add up to the balance of what is held.',
    sql: `SELECT user_id AS entity, format('the holds are %s, the balance is %s %s', coalesce(h.minor, 0), coalesce(b.minor, 0), currency)
        AS detail
      FROM (SELECT user_id, currency, sum(balance_minor) AS minor FROM ledger_holds WHERE balance_minor > 0 GROUP BY 1, 2) AS h
      FULL JOIN (SELECT user_id, currency, balance_minor AS minor FROM ledger_balances WHERE account = 'payout_hold') AS b
        USING (user_id, currency)
      WHERE coalesce(h.minor, 0) <> coalesce(b.minor, 0)`,
  },
  {
    id: 'payouts.money-is-in-one-place',
    says: 'The amount of a payout left its balance once, and is held, with the provider that sent it, back or forfeited: in one of them.',
    sql: `WITH booked AS (
        SELECT t.subject_id AS id,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account IN ('partner_available', 'wallet')), 0) AS source,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'payout_hold'), 0) AS held,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account LIKE 'clearing\\_%'), 0) AS sent,
          coalesce(sum(e.amount_minor) FILTER (WHERE e.account = 'forfeited'), 0) AS forfeited,
          count(DISTINCT t.id) AS transfers, min(e.user_id::text) AS owner, max(e.user_id::text) AS also,
          bool_and(${isOf('t', 'payout')}) AS of_partner,
          bool_or(e.account = 'partner_available') AS from_partner
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'payout', 'wallet-withdrawal')} GROUP BY 1
      )
      SELECT coalesce(p.id::text, b.id) AS entity, format('%s of %s: balance %s, held %s, sent %s, forfeited %s by %s transfers',
        p.status, p.amount_minor, b.source, b.held, b.sent, b.forfeited, b.transfers) AS detail
      FROM payouts p FULL JOIN booked b ON b.id = p.id::text
      WHERE p.id IS NULL OR b.id IS NULL OR b.owner <> p.user_id::text OR b.also <> p.user_id::text
        OR b.of_partner <> (p.kind = 'PARTNER') OR b.from_partner <> (p.kind = 'PARTNER')
        OR b.transfers <> CASE WHEN p.status IN ${OPEN} THEN 1 ELSE 2 END
        OR b.held <> CASE WHEN p.status IN ${OPEN} THEN p.amount_minor ELSE 0 END
        OR b.sent <> CASE WHEN p.status = 'COMPLETED' THEN p.amount_minor ELSE 0 END
        OR b.forfeited <> CASE WHEN p.status = 'REJECTED' AND NOT p.funds_returned THEN p.amount_minor ELSE 0 END
        OR b.source <> CASE WHEN p.status IN ('REJECTED', 'CANCELLED') AND p.funds_returned THEN 0 ELSE -p.amount_minor END`,
  },
  {
    id: 'payouts.arrive-once',
    says: 'The sandbox has sent a payout once at most, for its amount, and none that is not PROCESSING or COMPLETED by it.',
    sql: `SELECT p.id AS entity, format('%s by %s of %s, sent %s in %s transfers', p.status, p.provider, p.amount_minor,
        sum(s.amount_minor * s.copies), sum(s.copies)) AS detail
      FROM sandbox_transfers s JOIN payouts p ON p.id::text = split_part(s.key, ':', 1)
      WHERE s.status = 'ARRIVED' GROUP BY p.id
      HAVING sum(s.copies) > 1 OR sum(s.amount_minor) <> p.amount_minor OR p.status NOT IN ('PROCESSING', 'COMPLETED')
        OR (p.status = 'COMPLETED' AND p.provider <> 'sandbox')`,
  },
  {
    id: 'payouts.are-decided',
    says: 'Each step of a payout has the decision of a person behind it, but the end by a chargeback, and none decided on an own payout but to cancel it.',
    sql: `SELECT p.id AS entity, format('%s after %s', p.status, coalesce(string_agg(d.action, ', ' ORDER BY d.made_at), 'none'))
        AS detail
      FROM payouts p LEFT JOIN payout_decisions d ON d.payout_id = p.id GROUP BY p.id
      HAVING (p.approved_at IS NOT NULL) <> (count(*) FILTER (WHERE d.action = 'APPROVE') = 1)
        OR p.sendings <> coalesce(max(d.sending), 0)
        OR (p.decided_by IS NOT NULL) <> (count(*) FILTER (WHERE d.action IN ('REJECT', 'CANCEL')) = 1)
        OR bool_or(d.made_by = p.user_id AND d.action <> 'CANCEL')`,
  },
  {
    id: 'payouts.pay-commissions',
    says: 'The PAID commissions of a partner are never more than the completed payouts of the partner.',
    sql: `SELECT partner_id AS entity, format('commissions of %s are paid by payouts of %s', c.minor, coalesce(p.minor, 0)) AS detail
      FROM (SELECT partner_id, currency, sum(net_minor) AS minor FROM partner_commissions
        WHERE status = 'PAID' GROUP BY 1, 2) AS c
      LEFT JOIN (SELECT partner_id, currency, sum(amount_minor) AS minor FROM payouts
        WHERE status = 'COMPLETED' AND partner_id IS NOT NULL GROUP BY 1, 2) AS p USING (partner_id, currency)
      WHERE c.minor > coalesce(p.minor, 0)`,
  },
];
