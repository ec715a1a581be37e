import { change, find, type Proof } from '../../proof';

const COMMISSION = 'SELECT id AS found FROM partner_commissions WHERE source_id = $1 AND type = $2';

/** Commissions of wrong amounts, and without a refund of their sale. */
export const commissionAmountProofs: readonly Proof[] = [
  {
    invariant: 'partner-commissions.are-of-weight-and-rate',
    how: 'a rate that the amount was not computed with',
    async breaks(tx, { partnering }) {
      const id = await find(tx, COMMISSION, [partnering.first, 2]);
      await change(
        tx,
        'UPDATE partner_commissions SET rate_bp = rate_bp - 100, met_rate_bp = met_rate_bp + 100 WHERE id = $1',
        [id],
      );
      return id;
    },
  },
  {
    invariant: 'partner-commissions.are-at-the-rate-of-their-rank',
    how: 'a rank that has another rate',
    async breaks(tx, { partnering }) {
      const id = await find(tx, COMMISSION, [partnering.first, 2]);
      await change(tx, 'UPDATE partner_commissions SET rank_level = rank_level - 1 WHERE id = $1', [id]);
      return id;
    },
  },
  {
    invariant: 'partner-commissions.are-taken-back-with-their-sale',
    how: 'a reversed commission of a sale that stays',
    async breaks(tx, { partnering }) {
      const id = await find(tx, COMMISSION, [partnering.cancelled, 3]);
      await change(
        tx,
        `UPDATE partner_sales SET commission_weight = commission_weight + 1 WHERE source_id = $1 AND kind = 'REFUND'`,
        [partnering.cancelled],
      );
      // The team's commission of the same sale is as wrong.
      await change(
        tx,
        'UPDATE partner_commissions SET source_id = gen_random_uuid() WHERE source_id = $1 AND type = 2',
        [partnering.cancelled],
      );
      return id;
    },
  },
  {
    invariant: 'partner-commissions.are-of-every-sale',
    how: 'a sale without the commission of its sponsor',
    async breaks(tx, { partnering }) {
      await change(
        tx,
        'UPDATE partner_commissions SET source_id = gen_random_uuid(), event_id = NULL WHERE source_id = $1 AND type = 1',
        [partnering.first],
      );
      return partnering.first;
    },
  },
  {
    invariant: 'partner-commissions.are-of-every-sale',
    how: 'a sale whose commission is of another weight',
    async breaks(tx, { partnering }) {
      await change(
        tx,
        `UPDATE partner_sales SET commission_weight = commission_weight + 1 WHERE source_id = $1 AND kind = 'ORDER'`,
        [partnering.first],
      );
      return partnering.first;
    },
  },
];
