import { change, find, misplace, strayCent, type Proof } from '../../proof';

export const commissionBalanceProofs: readonly Proof[] = [
  {
    invariant: 'commissions.lie-where-they-are-booked',
    how: 'a status that no transfer followed',
    async breaks(tx, { commissions: { adjusted } }) {
      await change(tx, `UPDATE partner_commissions SET status = 'HELD' WHERE id = $1`, [adjusted]);
      return adjusted;
    },
  },
  {
    invariant: 'commissions.lie-where-they-are-booked',
    how: 'a commission whose transfer has another name',
    async breaks(tx, { commissions: { adjusted } }) {
      await misplace(tx, { kind: 'commission', subjectId: adjusted });
      return adjusted;
    },
  },
  {
    invariant: 'commissions.are-the-balances-of-partners',
    how: 'money that left a balance without a payout',
    async breaks(tx, { commissions: { partnerId } }) {
      const userId = await find(tx, 'SELECT user_id AS found FROM partners WHERE id = $1', [partnerId]);
      await strayCent(tx, userId, 'partner_available');
      return partnerId;
    },
  },
  {
    invariant: 'commissions.adjustments-are-recorded',
    how: 'an adjustment more than was recorded',
    async breaks(tx, { commissions: { adjusted } }) {
      await change(tx, `UPDATE partner_commissions SET adjustments = adjustments + 1 WHERE id = $1`, [
        adjusted,
      ]);
      return adjusted;
    },
  },
];
