import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Top-ups agree with their attempts, captures, chargebacks and refunds, and with the wallet. */
export const topUpInvariants: readonly Invariant[] = [
  {
    id: 'top-ups.reach-the-wallet-once',
    says: 'The money of a paid top-up came to the wallet of its user once, from the provider that captured it; of any other nothing did.',
    sql: `SELECT coalesce(t.id::text, b.id) AS entity, format('%s of %s, captured %s by %s; booked %s to the wallet, %s of another, from %s', t.status,
        t.amount_minor, c.minor, c.provider, coalesce(b.wallet, 0), coalesce(b.other, 0), coalesce(b.source, 'nowhere')) AS detail
      FROM top_ups t
      LEFT JOIN LATERAL (SELECT sum(amount_minor) AS minor, min(provider) AS provider FROM payment_captures
        WHERE top_up_id = t.id AND applied) AS c ON true
      FULL JOIN (
        SELECT l.subject_id AS id, min(e.user_id::text) AS user_id,
          sum(e.amount_minor) FILTER (WHERE e.account = 'wallet') AS wallet,
          sum(abs(e.amount_minor)) FILTER (WHERE e.account <> 'wallet' AND e.account NOT LIKE 'clearing\\_%') AS other,
          min(e.account) FILTER (WHERE e.account LIKE 'clearing\\_%') AS source,
          min(e.currency) AS currency
        FROM ledger_transfers l JOIN ledger_entries e ON e.transfer_id = l.id
        WHERE ${isOf('l', 'top-up')} GROUP BY 1
      ) AS b ON b.id = t.id::text
      WHERE t.id IS NULL OR coalesce(b.other, 0) <> 0
        OR coalesce(b.wallet, 0) <> CASE t.status WHEN 'PAID' THEN t.amount_minor ELSE 0 END
        OR (t.status = 'PAID' AND (c.minor IS DISTINCT FROM t.amount_minor OR b.user_id IS DISTINCT FROM t.user_id::text
          OR b.currency IS DISTINCT FROM t.currency OR b.source IS DISTINCT FROM 'clearing_' || c.provider))`,
  },
  {
    id: 'top-ups.are-paid-once',
    says: 'A paid top-up has one PAID attempt, of its method, and one applied capture; any other has neither. Attempts are for its amount.',
    sql: `SELECT t.id AS entity, format('%s by %s; %s PAID attempts, %s applied captures', t.status, t.payment_method, a.paid,
        c.applied) AS detail
      FROM top_ups t
      CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'PAID') AS paid,
          count(*) FILTER (WHERE (status = 'PAID' AND method <> t.payment_method) OR amount_minor <> t.amount_minor
            OR currency <> t.currency OR (status = 'PENDING' AND t.status <> 'PENDING_PAYMENT')) AS wrong
        FROM payment_attempts WHERE top_up_id = t.id) AS a
      CROSS JOIN LATERAL (SELECT count(*) AS applied FROM payment_captures WHERE top_up_id = t.id AND applied) AS c
      CROSS JOIN LATERAL (SELECT CASE WHEN t.status = 'PAID' THEN 1 ELSE 0 END AS paid) AS due
      WHERE a.paid <> due.paid OR c.applied <> due.paid OR a.wrong > 0`,
  },
  {
    id: 'top-ups.say-when-money-is-back',
    says: 'A cancelled top-up is REFUNDED when money came for it and all of that is back, and FAILED before.',
    sql: `SELECT t.id AS entity, format('%s; %s refunds are completed, %s are not', t.payment_status, r.done, r.undone) AS detail
      FROM top_ups t CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status IN ('COMPLETED', 'CHARGED_BACK')) AS done,
          count(*) FILTER (WHERE status IN ('PROCESSING', 'ABANDONED')) AS undone
        FROM payment_refunds WHERE top_up_id = t.id) AS r
      WHERE t.status = 'CANCELLED'
        AND t.payment_status <> CASE WHEN r.done > 0 AND r.undone = 0 THEN 'REFUNDED' ELSE 'FAILED' END`,
  },
  {
    id: 'top-ups.are-taken-back-once',
    says: 'A chargeback of a paid top-up took at most its amount from the wallet of its user, and its return gave all of that back. It ended the withdrawal that its user had requested before and that nobody had processed, and no other.',
    sql: `SELECT b.id AS entity, format('chargeback %s of %s is %s of %s; took %s from the wallet, gave %s back', b.chargeback,
        b.id, c.status, c.amount_minor, b.taken, b.given) AS detail
      FROM (
        SELECT l.subject_id AS id, l.part AS chargeback,
          coalesce(-sum(e.amount_minor) FILTER (WHERE ${isOf('l', 'top-up-chargeback')}), 0) AS taken,
          coalesce(sum(e.amount_minor) FILTER (WHERE ${isOf('l', 'top-up-chargeback-return')}), 0) AS given,
          bool_and(e.user_id IS NOT NULL AND e.user_id = t.user_id) AS is_owner
        FROM ledger_transfers l JOIN ledger_entries e ON e.transfer_id = l.id AND e.account = 'wallet'
          LEFT JOIN top_ups t ON t.id::text = l.subject_id
        WHERE ${isOf('l', 'top-up-chargeback', 'top-up-chargeback-return')} GROUP BY 1, 2
      ) AS b LEFT JOIN chargebacks c ON c.id::text = b.chargeback AND c.top_up_id::text = b.id
      WHERE c.id IS NULL OR NOT b.is_owner OR b.taken NOT BETWEEN 1 AND c.amount_minor
        OR b.given <> CASE c.status WHEN 'RETURNED' THEN b.taken ELSE 0 END
      UNION ALL
      -- The ids of transfers are in the order of their bookings; a hold that is older was committed before the wallet was taken from.
      SELECT t.id::text, format('chargeback %s left withdrawal %s, which is %s', c.id, p.id, p.status)
        FROM top_ups t JOIN chargebacks c ON c.top_up_id = t.id JOIN payment_captures k ON k.id = c.capture_id AND k.applied
          JOIN payouts p ON p.user_id = t.user_id AND p.currency = t.currency AND p.kind = 'WALLET'
            AND p.status IN ('PENDING', 'APPROVED') AND p.sendings = 0
          JOIN ledger_transfers taken ON ${isOf('taken', 'chargeback')} AND taken.subject_id = c.id::text
          JOIN ledger_transfers held ON ${isOf('held', 'wallet-withdrawal')} AND held.subject_id = p.id::text
            AND held.part = 'hold' AND held.id < taken.id
      UNION ALL
      SELECT coalesce(t.id::text, c.id::text), format('chargeback %s ended withdrawal %s', c.id, p.id)
        FROM payouts p JOIN chargebacks c ON c.id = p.chargeback_id JOIN payment_captures k ON k.id = c.capture_id
          LEFT JOIN top_ups t ON t.id = c.top_up_id
        WHERE t.id IS NULL OR NOT k.applied OR (t.user_id, t.currency) <> (p.user_id, p.currency)`,
  },
];
