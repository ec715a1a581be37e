import {
  topUpGivenBackLetter,
  topUpPaidLetter,
  topUpTakenBackLetter,
  topUpTransferLetter,
  topUpUnpaidLetter,
  type TopUpLetterData,
} from '../../../workflows/ledger/top-up/top-up.letters';

const topUp: TopUpLetterData = {
  firstName: 'Ada',
  number: 'TOP-2026-00000007',
  amountMinor: 100_00,
  currency: 'USD',
};

/** The letters about top-ups of wallets. */
export const topUpSamples = {
  topUpTransferLetter: {
    'waits for a bank transfer': topUpTransferLetter(topUp, {
      accountHolder: 'Marketplace GmbH',
      bankName: 'Demo Bank',
      accountNumber: 'DE02120300000000202051',
      bik: 'BYLADEM1001',
      purpose: topUp.number,
      payBy: new Date('2026-11-26T10:00:00.000Z'),
    }),
  },
  topUpPaidLetter: { paid: topUpPaidLetter(topUp) },
  topUpUnpaidLetter: { 'not paid in time': topUpUnpaidLetter(topUp) },
  topUpTakenBackLetter: { 'of which some was spent': topUpTakenBackLetter(topUp, 40_00) },
  topUpGivenBackLetter: { 'of which some had been spent': topUpGivenBackLetter(topUp, 40_00) },
};
