import type { Invariant } from '../invariant';

/** Participations that are paid here agree with their attempts, captures and refunds. */
export const participationPaymentInvariants: readonly Invariant[] = [
  {
    id: 'participations.are-paid-once',
    says: 'A participation that a provider or a bank paid has one PAID attempt, of its method, and one applied capture; any other has neither.',
    sql: `SELECT i.id AS entity, format('%s by %s, %s; %s PAID attempts, %s applied captures', i.status,
        coalesce(i.payment_method, 'nothing'), CASE WHEN i.paid_at IS NULL THEN 'never paid' ELSE 'paid' END, a.paid,
        c.applied) AS detail
      FROM participations i
      CROSS JOIN LATERAL (SELECT count(*) AS paid, coalesce(bool_and(method = i.payment_method), true) AS by_it
        FROM payment_attempts WHERE participation_id = i.id AND status = 'PAID') AS a
      CROSS JOIN LATERAL (SELECT count(*) AS applied FROM payment_captures WHERE participation_id = i.id AND applied) AS c
      CROSS JOIN LATERAL (SELECT CASE WHEN i.paid_at IS NOT NULL AND i.payment_method IN ('CARD', 'BANK_TRANSFER')
        THEN 1 ELSE 0 END AS paid) AS due
      WHERE a.paid <> due.paid OR c.applied <> due.paid OR NOT a.by_it`,
  },
  {
    id: 'participations.ask-for-their-amount',
    says: 'Every attempt to pay a participation is for its amount, and is PENDING only while it waits for payment.',
    sql: `SELECT a.id AS entity, format('%s, %s %s; participation %s is %s, of %s %s', a.status, a.amount_minor, a.currency,
        i.id, i.status, i.amount_minor, i.currency) AS detail
      FROM payment_attempts a JOIN participations i ON i.id = a.participation_id
      WHERE a.amount_minor <> i.amount_minor OR a.currency <> i.currency
        OR (a.status = 'PENDING' AND i.status <> 'PENDING_PAYMENT')`,
  },
  {
    id: 'participations.say-when-money-is-back',
    says: 'A cancelled participation is REFUNDED when money came for it and all of that is back, and FAILED before.',
    sql: `SELECT i.id AS entity, format('%s; %s refunds are completed, %s are not', i.payment_status, r.done, r.undone) AS detail
      FROM participations i CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status IN ('COMPLETED', 'CHARGED_BACK')) AS done,
          count(*) FILTER (WHERE status IN ('PROCESSING', 'ABANDONED')) AS undone
        FROM payment_refunds WHERE participation_id = i.id) AS r
      WHERE i.status = 'CANCELLED'
        AND i.payment_status <> CASE WHEN r.done > 0 AND r.undone = 0 THEN 'REFUNDED' ELSE 'FAILED' END`,
  },
];
