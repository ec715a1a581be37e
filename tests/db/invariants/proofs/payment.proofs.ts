import { execute } from '../../../../db/sql/query';
import { change, find, forgetRefund, misplace, unbook, type Proof, unannounceRefund } from '../proof';

const attemptOf = `SELECT id AS found FROM payment_attempts WHERE order_id = $1`;
const captureOf = `SELECT id AS found FROM payment_captures WHERE order_id = $1`;
const refundOf = `SELECT id AS found FROM payment_refunds WHERE order_id = $1`;

export const paymentProofs: readonly Proof[] = [
  {
    invariant: 'payments.pay-once',
    how: 'two attempts that were both paid',
    async breaks(tx, { orders }) {
      await execute(tx, 'DROP INDEX payment_attempts_one_paid_key');
      await change(
        tx,
        `INSERT INTO payment_attempts
           (id, order_id, sequence, provider, method, amount_minor, currency, status, expires_at, created_at, updated_at)
         SELECT gen_random_uuid(), order_id, 99, provider, 'BALANCE', amount_minor, currency, 'PAID', now(), now(), now()
         FROM payment_attempts WHERE order_id = $1`,
        [orders.byBalance],
      );
      return orders.byBalance;
    },
  },
  {
    invariant: 'payments.captures-fit-their-attempts',
    how: 'money of another currency',
    async breaks(tx, { orders }) {
      const capture = await find(tx, captureOf, [orders.paid]);
      await change(tx, `UPDATE payment_captures SET currency = 'EUR' WHERE id = $1`, [capture]);
      await change(
        tx,
        `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'exchanged', now())`,
        [capture],
      );
      await change(
        tx,
        `INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at)
         SELECT id, line.account, line.currency, line.sign * amount_minor, now() FROM payment_captures,
           (VALUES ('clearing_sandbox', 'USD', 1), ('losses', 'USD', -1), ('clearing_sandbox', 'EUR', -1),
             ('losses', 'EUR', 1)) AS line (account, currency, sign)
         WHERE id = $1`,
        [capture],
      );
      return capture;
    },
  },
  {
    invariant: 'payments.captures-fit-their-attempts',
    how: 'an attempt that is PAID by no money',
    async breaks(tx, { orders }) {
      const attempt = await find(tx, attemptOf, [orders.byBalance]);
      await change(tx, `UPDATE payment_attempts SET method = 'CARD' WHERE id = $1`, [attempt]);
      await change(tx, `UPDATE orders SET payment_method = 'CARD' WHERE id = $1`, [orders.byBalance]);
      return attempt;
    },
  },
  {
    invariant: 'payments.name-the-method-that-paid',
    how: 'an order that kept the method of a later attempt',
    async breaks(tx, { orders }) {
      await change(tx, `UPDATE orders SET payment_method = 'EWALLET' WHERE id = $1`, [orders.paid]);
      return orders.paid;
    },
  },
  {
    invariant: 'payments.ask-for-what-is-due',
    how: 'an attempt for a cent more',
    async breaks(tx, { orders }) {
      const attempt = await find(tx, attemptOf, [orders.givenUp]);
      await change(tx, `UPDATE payment_attempts SET amount_minor = amount_minor + 1 WHERE id = $1`, [
        attempt,
      ]);
      return attempt;
    },
  },
  {
    invariant: 'payments.close-with-their-order',
    how: 'an attempt that outlived its order',
    async breaks(tx, { orders }) {
      await change(tx, `UPDATE payment_attempts SET status = 'PENDING' WHERE order_id = $1`, [
        orders.givenUp,
      ]);
      return orders.givenUp;
    },
  },
  {
    invariant: 'payments.stray-money-goes-back',
    how: 'a second payment that was kept',
    breaks: (tx, { orders }) => forgetRefund(tx, orders.twice),
  },
  {
    invariant: 'refunds.stay-within-the-capture',
    how: 'money counted as refunded that no refund is of',
    async breaks(tx, { orders }) {
      const capture = await find(tx, captureOf, [orders.paid]);
      await change(tx, `UPDATE payment_captures SET refunded_minor = 1 WHERE id = $1`, [capture]);
      return capture;
    },
  },
  {
    invariant: 'refunds.are-booked',
    how: 'a refund that is done and was not sent',
    async breaks(tx, { orders }) {
      const refund = await find(tx, refundOf, [orders.returned]);
      await execute(tx, 'ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_completed_check');
      await change(tx, `UPDATE payment_refunds SET provider_refund_id = NULL WHERE id = $1`, [refund]);
      return refund;
    },
  },
  {
    invariant: 'refunds.are-booked',
    how: 'stray money that is not in the ledger',
    async breaks(tx, { orders }) {
      const capture = await find(tx, captureOf, [orders.late]);
      await misplace(tx, { kind: 'capture', subjectId: capture });
      return capture;
    },
  },
  {
    invariant: 'refunds.have-their-reason',
    how: 'money that goes back for the cancellation of an order that is not cancelled',
    async breaks(tx, { orders }) {
      const refund = await find(tx, `${refundOf} AND reason = 'REFUND'`, [orders.allBack]);
      await execute(tx, 'ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_request_check');
      await change(tx, `UPDATE payment_refunds SET reason = 'CANCELLATION' WHERE id = $1`, [refund]);
      return refund;
    },
  },
  {
    invariant: 'refunds.have-their-reason',
    how: 'money that paid no order and goes back for a cancellation',
    async breaks(tx, { orders }) {
      const refund = await find(tx, refundOf, [orders.late]);
      await change(tx, `UPDATE payment_refunds SET reason = 'CANCELLATION' WHERE id = $1`, [refund]);
      return refund;
    },
  },
  {
    invariant: 'orders.are-paid-while-money-is-owed',
    how: 'an order that is paid back while its money was given up',
    async breaks(tx, { orders }) {
      const refund = await find(tx, refundOf, [orders.returned]);
      await unannounceRefund(tx, orders.returned);
      await unbook(tx, { kind: 'payment-refund', subjectId: refund });
      await change(
        tx,
        `UPDATE payment_refunds SET status = 'ABANDONED', provider_refund_id = NULL, completed_at = NULL WHERE id = $1`,
        [refund],
      );
      return orders.returned;
    },
  },
  {
    invariant: 'orders.are-paid-while-money-is-owed',
    how: 'an order that counts as paid when all is back',
    async breaks(tx, { orders }) {
      await change(tx, `UPDATE orders SET payment_status = 'PAID' WHERE id = $1`, [orders.returned]);
      return orders.returned;
    },
  },
  {
    invariant: 'refunds.are-not-stuck',
    how: 'a refund that nobody works on',
    async breaks(tx, { orders }) {
      const refund = await find(tx, refundOf, [orders.returned]);
      await unannounceRefund(tx, orders.returned);
      await unbook(tx, { kind: 'payment-refund', subjectId: refund });
      await change(
        tx,
        `UPDATE payment_refunds SET status = 'PROCESSING', provider_refund_id = NULL, completed_at = NULL,
           created_at = now() - interval '1 hour' WHERE id = $1`,
        [refund],
      );
      await change(tx, `UPDATE orders SET payment_status = 'PAID' WHERE id = $1`, [orders.returned]);
      return refund;
    },
  },
  {
    invariant: 'refunds.are-not-stuck',
    how: 'a refund that its provider has pending, and that nobody looks at any more',
    async breaks(tx, { orders }) {
      const refund = await find(tx, refundOf, [orders.returned]);
      await unannounceRefund(tx, orders.returned);
      await unbook(tx, { kind: 'payment-refund', subjectId: refund });
      await change(
        tx,
        `UPDATE payment_refunds SET status = 'PROCESSING', provider_refund_id = NULL, completed_at = NULL,
           created_at = now() - interval '3 days', pending_since = now() - interval '3 days',
           answered_at = now() - interval '6 hours' WHERE id = $1`,
        [refund],
      );
      await change(tx, `UPDATE orders SET payment_status = 'PAID' WHERE id = $1`, [orders.returned]);
      return refund;
    },
  },
];
