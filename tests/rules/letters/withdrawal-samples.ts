import {
  withdrawalLetter,
  type WithdrawalMailKind,
} from '../../../workflows/investment/withdrawal/withdrawal.letters';

const money = {
  ...{ firstName: 'Ada', number: 'INV-2026-00000012', strategyName: 'Green Bonds' },
  ...{ amountMinor: 92_500, currency: 'USD', maskedDetails: '•••• 3000' },
};
const withdrawal = (kind: WithdrawalMailKind, changes: Partial<typeof money> = {}) =>
  withdrawalLetter(kind, { ...money, ...changes });

/** The letters about withdrawals of participations. */
export const withdrawalSamples = {
  withdrawalLetter: {
    'on its way': withdrawal('REQUESTED'),
    'to the balance': withdrawalLetter('PAID', { ...money, maskedDetails: null }),
    'nothing left': withdrawal('PAID', { amountMinor: 0 }),
    sent: withdrawal('SENT'),
    refused: withdrawal('CREDITED'),
  },
};
