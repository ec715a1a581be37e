import { payableColumns, payableId } from '../../commerce/payment/payable';
import type { Invariant } from '../invariant';

/** Attempts and captures agree with each other, with the order and with the ledger. */
export const paymentInvariants: readonly Invariant[] = [
  {
    id: 'payments.pay-once',
    says: 'An order that was paid has one PAID attempt and at most one applied capture; any other has neither.',
    sql: `SELECT o.id AS entity, format('%s, %s; %s PAID attempts, %s applied captures', o.status,
        CASE WHEN o.paid_at IS NULL THEN 'never paid' ELSE 'paid' END, a.paid, c.applied) AS detail
      FROM orders o
      CROSS JOIN LATERAL (SELECT count(*) AS paid FROM payment_attempts WHERE order_id = o.id AND status = 'PAID') AS a
      CROSS JOIN LATERAL (SELECT count(*) AS applied FROM payment_captures WHERE order_id = o.id AND applied) AS c
      WHERE a.paid <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE 1 END OR c.applied > a.paid OR c.applied > 1`,
  },
  {
    id: 'payments.captures-fit-their-attempts',
    says: 'A capture is of what its attempt is for; one that paid is also of its amount, and made the attempt PAID.',
    sql: `SELECT c.id AS entity, format('%s %s for %s; its attempt is %s, of %s %s for %s', c.amount_minor, c.currency,
        ${payableId('c')}, a.status, a.amount_minor, a.currency, ${payableId('a')}) AS detail
      FROM payment_captures c JOIN payment_attempts a ON a.id = c.attempt_id
      WHERE (${payableColumns('c')}) IS DISTINCT FROM (${payableColumns('a')}) OR (c.applied
        AND (c.currency <> a.currency OR c.amount_minor <> a.amount_minor OR a.status <> 'PAID'))
      UNION ALL
      SELECT a.id, 'a PAID attempt by ' || a.method || ' that no money came for'
      FROM payment_attempts a
      WHERE a.status = 'PAID' AND a.method <> 'BALANCE' AND a.amount_minor > 0
        AND NOT EXISTS (SELECT 1 FROM payment_captures c WHERE c.attempt_id = a.id AND c.applied)`,
  },
  {
    id: 'payments.name-the-method-that-paid',
    says: 'The payment method of a paid order is that of the attempt that paid it.',
    sql: `SELECT o.id AS entity, format('names %s, was paid by %s', o.payment_method, a.method) AS detail
      FROM orders o JOIN payment_attempts a ON a.order_id = o.id AND a.status = 'PAID'
      WHERE a.method <> o.payment_method`,
  },
  {
    id: 'payments.ask-for-what-is-due',
    says: 'Every attempt is for the total less the partner balance.',
    sql: `SELECT a.id AS entity, format('%s %s; order %s asks for %s of %s %s', a.amount_minor, a.currency, o.id,
        o.total_minor - o.partner_balance_minor, o.total_minor, o.currency) AS detail
      FROM payment_attempts a JOIN orders o ON o.id = a.order_id
      WHERE a.amount_minor <> o.total_minor - o.partner_balance_minor OR a.currency <> o.currency`,
  },
  {
    id: 'payments.close-with-their-order',
    says: 'Only an order that waits for payment has an attempt PENDING, and one at most.',
    sql: `SELECT o.id AS entity, format('%s with %s attempts PENDING', o.status, count(*)) AS detail
      FROM orders o JOIN payment_attempts a ON a.order_id = o.id AND a.status = 'PENDING'
      GROUP BY o.id HAVING count(*) > CASE WHEN o.status = 'PENDING_PAYMENT' THEN 1 ELSE 0 END`,
  },
  {
    id: 'payments.stray-money-goes-back',
    says: 'Money that pays nothing is on its way back, all of it.',
    sql: `SELECT id AS entity, format('%s keeps %s of %s', ${payableId()}, amount_minor - refunded_minor, amount_minor) AS detail
      FROM payment_captures WHERE NOT applied AND refunded_minor <> amount_minor`,
  },
];
