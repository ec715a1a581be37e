import { v7 } from 'uuid';
import { execute, type Tx } from '../../../../db/sql/query';
import { change, find, type Proof } from '../proof';

const buyerOf = `SELECT user_id AS found FROM orders WHERE id = $1`;
const ofSale = `SELECT id AS found FROM ledger_transfers WHERE kind = 'order-payment' AND subject_id = $1`;
const stray = `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'stray', now())`;
const entry = `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)`;

export const ledgerProofs: readonly Proof[] = [
  {
    invariant: 'ledger.transfers-balance',
    how: 'an entry too many',
    async breaks(tx, { orders }) {
      const transfer = await find(tx, ofSale, [orders.paid]);
      await change(tx, `${entry} VALUES ($1, 'sales', NULL, 'USD', 1, now())`, [transfer]);
      return transfer;
    },
  },
  {
    invariant: 'ledger.transfers-have-entries',
    how: 'a transfer of nothing',
    async breaks(tx) {
      const id = v7();
      await change(tx, stray, [id]);
      return id;
    },
  },
  {
    invariant: 'ledger.transfers-have-entries',
    how: 'entries of no transfer',
    async breaks(tx) {
      const id = v7();
      await change(tx, `${entry} VALUES ($1, 'sales', NULL, 'USD', 1, now())`, [id]);
      return id;
    },
  },
  ...[
    ['a kind that is not listed', `kind = 'gift'`] as const,
    ['a part where its kind has none', `part = 'wallet'`] as const,
    ['no part where its kind has parts', `kind = 'fee'`] as const,
  ].map(([how, broken]) => ({
    invariant: 'ledger.references-are-listed',
    how,
    async breaks(tx: Tx) {
      const transfer = await find(
        tx,
        `SELECT id AS found FROM ledger_transfers WHERE kind = 'seed-wallet' LIMIT 1`,
      );
      await change(tx, `UPDATE ledger_transfers SET ${broken} WHERE id = $1`, [transfer]);
      return transfer;
    },
  })),
  {
    invariant: 'ledger.balances-are-sums',
    how: 'a balance that was written past its entries',
    async breaks(tx, { orders }) {
      const user = await find(tx, buyerOf, [orders.byBalance]);
      await change(
        tx,
        `UPDATE ledger_balances SET balance_minor = balance_minor + 1 WHERE user_id = $1 AND account = 'wallet'`,
        [user],
      );
      return `${user} wallet USD`;
    },
  },
  {
    invariant: 'ledger.balances-are-sums',
    how: 'a balance that is gone',
    async breaks(tx, { orders }) {
      const user = await find(tx, buyerOf, [orders.byBalance]);
      await change(tx, `DELETE FROM ledger_balances WHERE user_id = $1 AND account = 'wallet'`, [user]);
      return `${user} wallet USD`;
    },
  },
  ...(['wallet', 'partner_available'] as const).map((account) => ({
    invariant: 'ledger.no-overdraft',
    how: `more taken from a ${account} than was in it`,
    async breaks(...[tx, { orders }]: Parameters<Proof['breaks']>) {
      const [user, transfer] = [await find(tx, buyerOf, [orders.byBalance]), v7()];
      await execute(tx, 'ALTER TABLE ledger_balances DROP CONSTRAINT ledger_balances_not_negative');
      await change(tx, stray, [transfer]);
      await change(
        tx,
        `${entry} VALUES ($1, $2, $3, 'USD', -100000, now()), ($1, 'payments', NULL, 'USD', 100000, now())`,
        [transfer, account, user],
      );
      await change(
        tx,
        `UPDATE ledger_balances SET balance_minor = balance_minor - 100000 WHERE user_id = $1 AND account = $2`,
        [user, account],
      );
      return `${user} ${account} USD`;
    },
  })),
  {
    invariant: 'ledger.clearing-is-with-the-provider',
    how: 'money of the sandbox that is booked at the bank',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `UPDATE ledger_entries e SET account = 'payments' FROM ledger_transfers t
         WHERE t.id = e.transfer_id AND t.kind = 'order-payment' AND t.subject_id = $1 AND e.account = 'clearing_bank'`,
        [orders.byTransfer],
      );
      return 'clearing_bank USD';
    },
  },
  {
    invariant: 'ledger.clearing-is-with-the-provider',
    how: 'principal that our bank has not passed on',
    async breaks(tx, { participations }) {
      await change(
        tx,
        `UPDATE ledger_entries e SET account = 'payments' FROM ledger_transfers t
         WHERE t.id = e.transfer_id AND t.kind = 'participation-payment' AND t.subject_id = $1
           AND e.account = 'clearing_bank'`,
        [participations.running],
      );
      return 'clearing_bank USD';
    },
  },
  {
    invariant: 'ledger.refunds-are-what-is-owed',
    how: 'a debt to a buyer that no refund pays',
    async breaks(tx) {
      const transfer = v7();
      await change(tx, stray, [transfer]);
      await change(
        tx,
        `${entry} VALUES ($1, 'refunds', NULL, 'USD', 100, now()), ($1, 'losses', NULL, 'USD', -100, now())`,
        [transfer],
      );
      return 'USD';
    },
  },
];
