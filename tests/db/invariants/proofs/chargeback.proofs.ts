import { v7 } from 'uuid';
import { execute, type Tx } from '../../../../db/sql/query';
import { change, find, misplace, type Proof } from '../proof';

const chargebackOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, 'SELECT id AS found FROM chargebacks WHERE order_id = $1', [orderId]);

const refundOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, 'SELECT id AS found FROM payment_refunds WHERE order_id = $1', [orderId]);

export const chargebackProofs: readonly Proof[] = [
  {
    invariant: 'chargebacks.are-counted',
    how: 'money that a bank took and that still counts as ours',
    async breaks(tx, { orders }) {
      await change(tx, `UPDATE payment_captures SET charged_back_minor = 0 WHERE order_id = $1`, [
        orders.chargedBack,
      ]);
      return find(tx, 'SELECT id AS found FROM payment_captures WHERE order_id = $1', [orders.chargedBack]);
    },
  },
  {
    invariant: 'chargebacks.are-counted',
    how: 'a chargeback of another order',
    async breaks(tx, { orders }) {
      const chargeback = await chargebackOf(tx, orders.chargedBack);
      await change(tx, `UPDATE chargebacks SET order_id = $2 WHERE id = $1`, [chargeback, orders.paid]);
      return find(tx, 'SELECT id AS found FROM payment_captures WHERE order_id = $1', [orders.chargedBack]);
    },
  },
  {
    invariant: 'chargebacks.are-booked',
    how: 'one that is not in the ledger',
    async breaks(tx, { orders }) {
      const chargeback = await chargebackOf(tx, orders.chargedBack);
      await misplace(tx, { kind: 'chargeback', subjectId: chargeback });
      return `chargeback:${chargeback}`;
    },
  },
  {
    invariant: 'chargebacks.are-booked',
    how: 'money that came back and is not in the ledger',
    async breaks(tx, { orders }) {
      const chargeback = await chargebackOf(tx, orders.wonBack);
      await misplace(tx, { kind: 'chargeback-return', subjectId: chargeback });
      return `chargeback-return:${chargeback}`;
    },
  },
  {
    invariant: 'chargebacks.fees-are-booked',
    how: 'a fee that is not in the ledger',
    async breaks(tx, { orders }) {
      const chargeback = await chargebackOf(tx, orders.chargedBack);
      await misplace(tx, { kind: 'chargeback-fee', subjectId: chargeback, part: 'fee' });
      return chargeback;
    },
  },
  {
    invariant: 'chargebacks.are-heard',
    how: 'an event whose chargeback nobody wrote down',
    async breaks(tx, { orders }) {
      const chargeback = await chargebackOf(tx, orders.chargedBack);
      const event = await find(
        tx,
        `SELECT w.id AS found FROM webhook_events w JOIN chargebacks b
           ON b.provider_chargeback_id = w.movement WHERE b.id = $1`,
        [chargeback],
      );
      await change(tx, `UPDATE chargebacks SET provider_chargeback_id = 'another' WHERE id = $1`, [
        chargeback,
      ]);
      return event;
    },
  },
  {
    invariant: 'chargebacks.pay-refunds-once',
    how: 'a capture whose refunds count as paid by a chargeback that was not lost',
    async breaks(tx, { orders }) {
      await execute(
        tx,
        'ALTER TABLE payment_captures DROP CONSTRAINT payment_captures_refunds_charged_back_check',
      );
      await change(tx, `UPDATE payment_captures SET refunds_charged_back_minor = 1 WHERE order_id = $1`, [
        orders.chargedBack,
      ]);
      return find(tx, 'SELECT id AS found FROM payment_captures WHERE order_id = $1', [orders.chargedBack]);
    },
  },
  {
    invariant: 'chargebacks.end-what-was-given-up',
    how: 'money that is owed though a lost chargeback has paid it',
    async breaks(tx, { orders }) {
      const [refund, chargeback] = [await refundOf(tx, orders.twice), v7()];
      await change(
        tx,
        `UPDATE payment_refunds SET status = 'ABANDONED', provider_refund_id = NULL, completed_at = NULL WHERE id = $1`,
        [refund],
      );
      await change(
        tx,
        `INSERT INTO chargebacks (id, capture_id, order_id, provider, provider_chargeback_id, amount_minor, currency,
           status, created_at, updated_at)
         SELECT $2, c.id, c.order_id, c.provider, 'lost', c.amount_minor, c.currency, 'LOST', now(), now()
         FROM payment_captures c JOIN payment_refunds r ON r.capture_id = c.id WHERE r.id = $1`,
        [refund, chargeback],
      );
      await change(
        tx,
        `UPDATE payment_captures SET charged_back_minor = amount_minor
         WHERE id = (SELECT capture_id FROM payment_refunds WHERE id = $1)`,
        [refund],
      );
      // The money that went by the refund goes by the chargeback instead.
      await change(
        tx,
        `UPDATE ledger_entries e SET account = 'losses' FROM ledger_transfers t
         WHERE t.id = e.transfer_id AND t.kind = 'payment-refund' AND t.subject_id = $1 AND e.account = 'refunds'`,
        [refund],
      );
      await change(
        tx,
        `UPDATE ledger_transfers SET kind = 'chargeback', subject_id = $2 WHERE kind = 'payment-refund' AND subject_id = $1`,
        [refund, chargeback],
      );
      return refund;
    },
  },
];
