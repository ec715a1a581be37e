import { change, find, misplace, type Proof } from '../../proof';

export const topUpProofs: readonly Proof[] = [
  {
    invariant: 'top-ups.reach-the-wallet-once',
    how: 'a paid one that was booked under another name',
    async breaks(tx, { topUps: { paid } }) {
      await misplace(tx, { kind: 'top-up', subjectId: paid });
      return paid;
    },
  },
  {
    invariant: 'top-ups.reach-the-wallet-once',
    how: 'one that was booked and never paid',
    async breaks(tx, { topUps: { open, paid } }) {
      const wallet = await find(tx, 'SELECT user_id AS found FROM top_ups WHERE id = $1', [paid]);
      await change(
        tx,
        `WITH moved AS (INSERT INTO ledger_transfers (id, kind, subject_id, created_at)
           VALUES (gen_random_uuid(), 'top-up', $1, now()) RETURNING id)
         INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, created_at)
           SELECT id, line.account, line.user_id, 'USD', line.minor, now() FROM moved,
             (VALUES ('wallet', $2::uuid, 5), ('payments', NULL, -5)) AS line (account, user_id, minor)`,
        [open, wallet],
      );
      await change(
        tx,
        `UPDATE ledger_balances SET balance_minor = balance_minor + 5 WHERE user_id = $1 AND account = 'wallet'`,
        [wallet],
      );
      return open;
    },
  },
  {
    invariant: 'top-ups.reach-the-wallet-once',
    how: 'one whose money came to the wallet of another user',
    async breaks(tx, { topUps: { paid, late } }) {
      await change(
        tx,
        'UPDATE top_ups SET user_id = (SELECT user_id FROM top_ups WHERE id = $2) WHERE id = $1',
        [paid, late],
      );
      return paid;
    },
  },
  {
    invariant: 'top-ups.are-paid-once',
    how: 'a paid one whose method is not that of its attempt',
    async breaks(tx, { topUps: { paid } }) {
      await change(tx, `UPDATE top_ups SET payment_method = 'EWALLET' WHERE id = $1`, [paid]);
      return paid;
    },
  },
  {
    invariant: 'top-ups.are-paid-once',
    how: 'an attempt for another amount',
    async breaks(tx, { topUps: { open } }) {
      await change(tx, 'UPDATE payment_attempts SET amount_minor = 1 WHERE top_up_id = $1', [open]);
      return open;
    },
  },
  {
    invariant: 'top-ups.say-when-money-is-back',
    how: 'one that says nothing of the money that went back',
    async breaks(tx, { topUps: { late } }) {
      await change(tx, `UPDATE top_ups SET payment_status = 'FAILED' WHERE id = $1`, [late]);
      return late;
    },
  },
  {
    invariant: 'top-ups.are-taken-back-once',
    how: 'a chargeback that took of the wallet and names no chargeback that is recorded',
    async breaks(tx, { topUps: { takenBack } }) {
      await change(
        tx,
        `UPDATE ledger_transfers SET part = 'lost' WHERE kind = 'top-up-chargeback' AND subject_id = $1`,
        [takenBack],
      );
      return takenBack;
    },
  },
  {
    invariant: 'top-ups.are-taken-back-once',
    how: 'a chargeback that left a withdrawal whose money was held before it',
    async breaks(tx, { topUps: { withdrawn, laterId } }) {
      const held = `(SELECT id FROM ledger_transfers WHERE kind = 'wallet-withdrawal' AND subject_id = $1 AND part = 'hold')`;
      const first = '00000000-0000-7000-8000-000000000000';
      await change(tx, `UPDATE ledger_entries SET transfer_id = '${first}' WHERE transfer_id = ${held}`, [
        laterId,
      ]);
      await change(tx, `UPDATE ledger_transfers SET id = '${first}' WHERE id = ${held}`, [laterId]);
      return withdrawn;
    },
  },
  {
    invariant: 'top-ups.are-taken-back-once',
    how: 'one that ended the withdrawal of another user',
    async breaks(tx, { topUps: { takenBack, withdrawalId } }) {
      await change(
        tx,
        `UPDATE payouts SET chargeback_id = (SELECT id FROM chargebacks WHERE top_up_id = $1) WHERE id = $2`,
        [takenBack, withdrawalId],
      );
      return takenBack;
    },
  },
];
