import { payoutLetter, type PayoutMailKind } from '../../../workflows/commerce/payout/payout.letters';

const money = {
  ...{ firstName: 'Ada', kind: 'PARTNER' as const, amountMinor: 40_00, currency: 'USD' },
  ...{ maskedDetails: '•••• 3000', reason: null, fundsReturned: null },
};
const payout = (mail: PayoutMailKind, changes: Partial<Parameters<typeof payoutLetter>[1]> = {}) =>
  payoutLetter(mail, { ...money, ...changes });

/** The letters about payouts of partners and withdrawals from wallets. */
export const payoutSamples = {
  payoutLetter: {
    requested: payout('REQUESTED'),
    'of a wallet': payout('REQUESTED', { kind: 'WALLET' }),
    rejected: payout('REJECTED', { reason: 'The account is of somebody else.', fundsReturned: true }),
    forfeited: payout('REJECTED', { reason: 'Fraud.', fundsReturned: false }),
    cancelled: payout('CANCELLED', { kind: 'WALLET', reason: 'At your request.', fundsReturned: true }),
    sent: payout('COMPLETED'),
  },
};
