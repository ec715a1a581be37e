import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Entrance fees agree with memberships, with their attempts, captures and refunds, and with the ledger. */
export const entranceInvariants: readonly Invariant[] = [
  {
    id: 'entrances.make-partners',
    says: 'A paid entrance fee made its user a partner, is booked once and announced; any other is neither.',
    sql: `SELECT f.id AS entity, format('%s of user %s; partner %s of user %s, booked %s, announced %s', f.status, f.user_id,
        f.partner_id, p.user_id, b.minor, e.count) AS detail
      FROM partner_entrances f LEFT JOIN partners p ON p.id = f.partner_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(l.amount_minor), 0)::bigint AS minor FROM ledger_transfers t
        JOIN ledger_entries l ON l.transfer_id = t.id AND l.account = 'entrance_fees' AND l.currency = f.currency
        WHERE ${isOf('t', 'entrance')} AND t.subject_id = f.id::text) AS b
      CROSS JOIN LATERAL (SELECT count(*) FROM domain_events WHERE reference = 'entrance.paid:' || f.id) AS e
      WHERE p.user_id IS DISTINCT FROM CASE f.status WHEN 'PAID' THEN f.user_id END
        OR b.minor <> CASE f.status WHEN 'PAID' THEN f.amount_minor ELSE 0 END
        OR e.count <> CASE f.status WHEN 'PAID' THEN 1 ELSE 0 END`,
  },
  {
    id: 'entrances.are-paid-once',
    says: 'An entrance fee that a provider or a bank paid has one PAID attempt, of its method, and one applied capture; any other has neither. Attempts are for its amount.',
    sql: `SELECT f.id AS entity, format('%s by %s; %s PAID attempts, %s applied captures', f.status, f.payment_method, a.paid,
        c.applied) AS detail
      FROM partner_entrances f
      CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'PAID') AS paid,
          count(*) FILTER (WHERE (status = 'PAID' AND method <> f.payment_method) OR amount_minor <> f.amount_minor
            OR currency <> f.currency OR (status = 'PENDING' AND f.status <> 'PENDING_PAYMENT')) AS wrong
        FROM payment_attempts WHERE entrance_id = f.id) AS a
      CROSS JOIN LATERAL (SELECT count(*) AS applied FROM payment_captures WHERE entrance_id = f.id AND applied) AS c
      CROSS JOIN LATERAL (SELECT CASE WHEN f.status = 'PAID' AND f.payment_method <> 'BALANCE' THEN 1 ELSE 0 END AS paid) AS due
      WHERE a.paid <> due.paid OR c.applied <> due.paid OR a.wrong > 0`,
  },
  {
    id: 'entrances.say-when-money-is-back',
    says: 'A cancelled entrance fee is REFUNDED when money came for it and all of that is back, and FAILED before.',
    sql: `SELECT f.id AS entity, format('%s; %s refunds are completed, %s are not', f.payment_status, r.done, r.undone) AS detail
      FROM partner_entrances f CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status IN ('COMPLETED', 'CHARGED_BACK')) AS done,
          count(*) FILTER (WHERE status IN ('PROCESSING', 'ABANDONED')) AS undone
        FROM payment_refunds WHERE entrance_id = f.id) AS r
      WHERE f.status = 'CANCELLED'
        AND f.payment_status <> CASE WHEN r.done > 0 AND r.undone = 0 THEN 'REFUNDED' ELSE 'FAILED' END`,
  },
];
