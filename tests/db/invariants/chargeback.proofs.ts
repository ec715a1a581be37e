import type { Tx } from '../../../db/sql';
import { change, find, misplace, type Proof } from './proof';

const chargebackOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, 'SELECT id AS found FROM chargebacks WHERE order_id = $1', [orderId]);

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
      const reference = `chargeback:${await chargebackOf(tx, orders.chargedBack)}`;
      await misplace(tx, reference);
      return reference;
    },
  },
  {
    invariant: 'chargebacks.are-booked',
    how: 'money that came back and is not in the ledger',
    async breaks(tx, { orders }) {
      const reference = `chargeback:${await chargebackOf(tx, orders.wonBack)}:return`;
      await misplace(tx, reference);
      return reference;
    },
  },
  {
    invariant: 'chargebacks.fees-are-booked',
    how: 'a fee that is not in the ledger',
    async breaks(tx, { orders }) {
      const chargeback = await chargebackOf(tx, orders.chargedBack);
      await misplace(tx, `chargeback:${chargeback}:fee`);
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
           ON b.provider_chargeback_id = w.body::jsonb #>> '{data,chargebackId}' WHERE b.id = $1`,
        [chargeback],
      );
      await change(tx, `UPDATE chargebacks SET provider_chargeback_id = 'another' WHERE id = $1`, [
        chargeback,
      ]);
      return event;
    },
  },
];
