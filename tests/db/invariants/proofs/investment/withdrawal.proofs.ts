import type { Tx } from '../../../../../db/sql/query';
import { change, find, type Proof } from '../../proof';
import type { Withdrawals } from '../../withdrawn';

const participationOf = (tx: Tx, id: string): Promise<string> =>
  find(tx, 'SELECT participation_id AS found FROM investment_withdrawals WHERE id = $1', [id]);

/** Takes a cent from what a withdrawal says; its transfers and transactions stay. */
const withoutACent = (tx: Tx, id: string): Promise<void> =>
  change(
    tx,
    `UPDATE investment_withdrawals SET returns_minor = returns_minor - 1, net_minor = net_minor - 1 WHERE id = $1`,
    [id],
  );

/** Breaks something of a withdrawal, and names it. */
const of = (
  invariant: string,
  how: string,
  kind: keyof Withdrawals,
  breaks: (tx: Tx, id: string) => Promise<unknown>,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { withdrawals }) {
    const id = withdrawals[kind];
    await breaks(tx, id);
    return id;
  },
});

export const withdrawalProofs: readonly Proof[] = [
  {
    invariant: 'withdrawals.end-their-participation',
    how: 'a withdrawal in another currency than that of its participation',
    async breaks(tx, { withdrawals: { toBalance } }) {
      await change(tx, `UPDATE investment_withdrawals SET currency = 'EUR' WHERE id = $1`, [toBalance]);
      return participationOf(tx, toBalance);
    },
  },
  of('withdrawals.are-paid-out', 'a payout to the wallet of a cent less', 'toBalance', withoutACent),
  of('withdrawals.are-paid-out', 'a cent too much for a refused transfer', 'credited', withoutACent),
  of('withdrawals.arrive-once', 'a transfer that was sent twice', 'sent', (tx, id) =>
    change(
      tx,
      `INSERT INTO sandbox_transfers (key, id, amount_minor, currency, status, created_at, ended_at)
       SELECT $1 || ':2', gen_random_uuid(), amount_minor, currency, status, created_at, ended_at
       FROM sandbox_transfers WHERE key = $1 || ':1'`,
      [id],
    ),
  ),
  of('withdrawals.arrive-once', 'a transfer that the sandbox’s bank has paid twice', 'sent', (tx, id) =>
    change(tx, `UPDATE sandbox_transfers SET copies = 2 WHERE key = $1 || ':1'`, [id]),
  ),
  of('bank-files.send-once', 'a transfer that a bank file has sent too', 'sent', (tx, id) =>
    change(
      tx,
      `INSERT INTO bank_file_transfers (id, key, amount_minor, currency, status, file_id, created_at, ended_at)
       SELECT gen_random_uuid(), key, amount_minor, 'EUR', 'ARRIVED', gen_random_uuid(), now(), now()
       FROM sandbox_transfers WHERE key = $1 || ':1'`,
      [id],
    ),
  ),
  of(
    'bank-files.send-once',
    'one that a bank file completed, and that no bank file holds',
    'byHand',
    async (tx, id) => {
      await change(tx, `UPDATE investment_withdrawals SET provider = 'bank-file' WHERE id = $1`, [id]);
      await change(
        tx,
        `UPDATE ledger_entries e SET account = 'clearing_bank-file' FROM ledger_transfers t
         WHERE t.id = e.transfer_id AND t.kind = 'withdrawal-arrival' AND t.subject_id = $1 AND e.account = 'clearing_bank'`,
        [id],
      );
    },
  ),
  ...(['COLLECTED', 'IN_FILE'] as const).map((status) =>
    of(
      'bank-files.send-once',
      `one that was sent by hand and is ${status} for a bank file`,
      'byHand',
      (tx, id) =>
        change(
          tx,
          `INSERT INTO bank_file_transfers (id, key, amount_minor, currency, destination, status, file_id, created_at)
           SELECT gen_random_uuid(), id || ':1', net_minor, 'EUR', '', $2::text,
             CASE WHEN $2::text = 'IN_FILE' THEN gen_random_uuid() END, now()
           FROM investment_withdrawals WHERE id = $1`,
          [id, status],
        ),
    ),
  ),
  of('withdrawals.arrive-once', 'a transfer that arrived and was sent by hand too', 'byHand', (tx, id) =>
    change(
      tx,
      `INSERT INTO sandbox_transfers (key, id, amount_minor, currency, status, created_at, ended_at)
       SELECT id || ':1', gen_random_uuid(), net_minor, currency, 'ARRIVED', created_at, created_at
       FROM investment_withdrawals WHERE id = $1`,
      [id],
    ),
  ),
  of(
    'withdrawals.arrive-once',
    'a transfer that arrived although it is in the wallet',
    'credited',
    (tx, id) => change(tx, `UPDATE sandbox_transfers SET status = 'ARRIVED' WHERE key = $1 || ':1'`, [id]),
  ),
];
