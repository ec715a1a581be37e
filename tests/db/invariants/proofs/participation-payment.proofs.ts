import { change, find, type Proof } from '../proof';

const attemptOf = `SELECT id AS found FROM payment_attempts WHERE participation_id = $1`;

export const participationPaymentProofs: readonly Proof[] = [
  {
    invariant: 'participations.are-paid-once',
    how: 'an attempt that is PAID, of one that was never paid',
    async breaks(tx, { lateParticipation }) {
      await change(
        tx,
        `UPDATE payment_attempts SET status = 'PAID', method = 'BALANCE' WHERE participation_id = $1`,
        [lateParticipation],
      );
      return lateParticipation;
    },
  },
  {
    invariant: 'participations.ask-for-their-amount',
    how: 'an attempt for a cent more',
    async breaks(tx, { lateParticipation }) {
      const attempt = await find(tx, attemptOf, [lateParticipation]);
      await change(tx, `UPDATE payment_attempts SET amount_minor = amount_minor + 1 WHERE id = $1`, [
        attempt,
      ]);
      return attempt;
    },
  },
  {
    invariant: 'participations.ask-for-their-amount',
    how: 'an attempt that stayed open',
    async breaks(tx, { lateParticipation }) {
      const attempt = await find(tx, attemptOf, [lateParticipation]);
      await change(tx, `UPDATE payment_attempts SET status = 'PENDING' WHERE id = $1`, [attempt]);
      return attempt;
    },
  },
  {
    invariant: 'participations.say-when-money-is-back',
    how: 'one that says nothing of the money that went back',
    async breaks(tx, { lateParticipation }) {
      await change(tx, `UPDATE participations SET payment_status = 'FAILED' WHERE id = $1`, [
        lateParticipation,
      ]);
      return lateParticipation;
    },
  },
];
