import { change, type Proof } from '../../proof';

export const entranceProofs: readonly Proof[] = [
  {
    invariant: 'entrances.make-partners',
    how: 'a paid one that nobody was told of',
    async breaks(tx, { entrances: { paid } }) {
      await change(tx, `DELETE FROM domain_events WHERE reference = 'entrance.paid:' || $1`, [paid]);
      return paid;
    },
  },
  {
    invariant: 'entrances.make-partners',
    how: 'a paid one that names the membership of another user',
    async breaks(tx, { entrances: { paid, late } }) {
      await change(
        tx,
        `UPDATE partner_entrances SET user_id = (SELECT user_id FROM partner_entrances WHERE id = $2) WHERE id = $1`,
        [paid, late],
      );
      return paid;
    },
  },
  {
    invariant: 'entrances.are-paid-once',
    how: 'an attempt that is PAID, of one that was never paid',
    async breaks(tx, { entrances: { late } }) {
      await change(
        tx,
        `UPDATE payment_attempts SET status = 'PAID', method = 'BALANCE' WHERE entrance_id = $1`,
        [late],
      );
      return late;
    },
  },
  {
    invariant: 'entrances.say-when-money-is-back',
    how: 'one that says nothing of the money that went back',
    async breaks(tx, { entrances: { late } }) {
      await change(tx, `UPDATE partner_entrances SET payment_status = 'FAILED' WHERE id = $1`, [late]);
      return late;
    },
  },
];
