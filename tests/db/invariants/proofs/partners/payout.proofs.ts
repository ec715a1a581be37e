import type { Tx } from '../../../../../db/sql/query';
import type { PaidOut } from '../../moving/paid-out';
import { change, misplace, strayCent, type Proof } from '../../proof';

/** Breaks something of a payout, and names what the invariant names. */
const of = (
  invariant: string,
  how: string,
  breaks: (tx: Tx, payouts: PaidOut) => Promise<string>,
): Proof => ({
  invariant,
  how,
  breaks: (tx, { payouts }) => breaks(tx, payouts),
});

export const payoutProofs: readonly Proof[] = [
  of(
    'payouts.are-held',
    'an open payout of which a cent is no longer held',
    async (tx, { openUserId, open }) => {
      await strayCent(tx, openUserId, 'payout_hold', open);
      await change(tx, 'UPDATE ledger_holds SET balance_minor = balance_minor - 1 WHERE hold_id = $1', [
        open,
      ]);
      return open;
    },
  ),
  of('payouts.holds-are-balances', 'a cent that left no hold', async (tx, { openUserId, open }) => {
    await strayCent(tx, openUserId, 'payout_hold', open);
    return openUserId;
  }),
  of('payouts.money-is-in-one-place', 'a hold that no transfer is named after', async (tx, { open }) => {
    await misplace(tx, { kind: 'wallet-withdrawal', subjectId: open, part: 'hold' });
    return open;
  }),
  of(
    'payouts.money-is-in-one-place',
    'a completed one whose money was not sent',
    async (tx, { completed }) => {
      await misplace(tx, { kind: 'payout', subjectId: completed, part: 'completed' });
      return completed;
    },
  ),
  of(
    'payouts.money-is-in-one-place',
    'a forfeited one that says that it came back',
    async (tx, { forfeited }) => {
      await change(tx, 'UPDATE payouts SET funds_returned = true WHERE id = $1', [forfeited]);
      return forfeited;
    },
  ),
  of('payouts.money-is-in-one-place', 'a cancelled one of another amount', async (tx, { cancelled }) => {
    await misplace(tx, { kind: 'wallet-withdrawal', subjectId: cancelled, part: 'returned' });
    return cancelled;
  }),
  of('payouts.arrive-once', 'one that was sent twice', async (tx, { completed }) => {
    await change(
      tx,
      `INSERT INTO sandbox_transfers (key, id, amount_minor, currency, status, created_at, ended_at)
       SELECT $1 || ':2', gen_random_uuid(), amount_minor, currency, status, created_at, ended_at
       FROM sandbox_transfers WHERE key = $1 || ':1'`,
      [completed],
    );
    return completed;
  }),
  of('payouts.arrive-once', 'one that the sandbox’s bank has paid twice', async (tx, { completed }) => {
    await change(tx, `UPDATE sandbox_transfers SET copies = 2 WHERE key = $1 || ':1'`, [completed]);
    return completed;
  }),
  of('bank-files.send-once', 'a payout that a bank file has sent too', async (tx, { completed }) => {
    await change(
      tx,
      `INSERT INTO bank_file_transfers (id, key, amount_minor, currency, status, file_id, created_at, ended_at)
       SELECT gen_random_uuid(), key, amount_minor, 'EUR', 'ARRIVED', gen_random_uuid(), now(), now()
       FROM sandbox_transfers WHERE key = $1 || ':1'`,
      [completed],
    );
    return completed;
  }),
  of('payouts.arrive-once', 'a transfer of one that was never processed', async (tx, { open }) => {
    await change(
      tx,
      `INSERT INTO sandbox_transfers (key, id, amount_minor, currency, status, created_at, ended_at)
       SELECT id || ':1', gen_random_uuid(), amount_minor, currency, 'ARRIVED', created_at, created_at
       FROM payouts WHERE id = $1`,
      [open],
    );
    return open;
  }),
  of('payouts.are-decided', 'an approval that nobody made', async (tx, { open }) => {
    await change(tx, 'DELETE FROM payout_decisions WHERE payout_id = $1', [open]);
    return open;
  }),
  of('payouts.are-decided', 'an approval of the owner', async (tx, { open }) => {
    await change(
      tx,
      `UPDATE payout_decisions d SET made_by = p.user_id FROM payouts p WHERE p.id = d.payout_id AND p.id = $1`,
      [open],
    );
    return open;
  }),
  of('payouts.pay-commissions', 'a commission that no payout paid', async (tx, { forfeitedPartnerId }) => {
    await change(tx, `UPDATE partner_commissions SET status = 'PAID' WHERE partner_id = $1`, [
      forfeitedPartnerId,
    ]);
    return forfeitedPartnerId;
  }),
];
