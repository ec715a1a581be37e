import {
  participationMaturedLetter,
  participationStartedLetter,
  participationTransferLetter,
  participationUnpaidLetter,
  type ParticipationLetterData,
} from '../../../workflows/investment/participation/participation.letters';
import {
  participationLateProfitLetter,
  participationMaturityMovedLetter,
  participationLostLetter,
  participationPaidOutLetter,
  participationPartPaidOutLetter,
  participationReportedLetter,
} from '../../../workflows/investment/provider-event/provider-event.letters';

const waiting: ParticipationLetterData = {
  firstName: 'Ada',
  number: 'INV-2026-00000012',
  strategyName: 'Harbour Bonds',
  amountMinor: 1_000_00,
  currency: 'USD',
  maturesAt: null,
};
const running: ParticipationLetterData = { ...waiting, maturesAt: new Date('2027-02-21T10:00:00.000Z') };
const next = {
  number: 'INV-2027-00000031',
  amountMinor: 1_019_73,
  maturesAt: new Date('2027-05-22T10:00:00.000Z'),
};
const onlyPaid = { next: null, notReinvested: null };

/** The letters about participations. */
export const participationSamples = {
  participationTransferLetter: {
    'waits for a bank transfer': participationTransferLetter(waiting, {
      accountHolder: 'Marketplace GmbH',
      bankName: 'Demo Bank',
      accountNumber: 'DE02120300000000202051',
      bik: 'BYLADEM1001',
      purpose: waiting.number,
      payBy: new Date('2026-11-26T10:00:00.000Z'),
    }),
  },
  participationStartedLetter: { paid: participationStartedLetter(running) },
  participationUnpaidLetter: { 'not paid in time': participationUnpaidLetter(waiting) },
  participationMaturedLetter: {
    'to the wallet': participationMaturedLetter(running, { walletMinor: 1_019_73, ...onlyPaid }),
    'a loss of everything': participationMaturedLetter(running, { walletMinor: 0, ...onlyPaid }),
    'invested again with its returns': participationMaturedLetter(running, {
      ...{ walletMinor: 0, next, notReinvested: null },
    }),
    'invested again, returns to the wallet': participationMaturedLetter(running, {
      ...{ walletMinor: 19_73, next: { ...next, amountMinor: 1_000_00 }, notReinvested: null },
    }),
    'not invested again, without capacity': participationMaturedLetter(running, {
      ...{ walletMinor: 1_019_73, next: null, notReinvested: 'STRATEGY_CAPACITY_REACHED' },
    }),
  },
  participationReportedLetter: {
    'made by its provider': participationReportedLetter(running, { waitedForPayment: false }),
    'paid at its provider instead of here': participationReportedLetter(running, { waitedForPayment: true }),
  },
  participationPaidOutLetter: {
    'all of it': participationPaidOutLetter(running, { amountMinor: 1_019_73, penaltyMinor: 0 }),
    'less a penalty': participationPaidOutLetter(running, { amountMinor: 900_00, penaltyMinor: 100_00 }),
    'a loss of everything': participationPaidOutLetter(running, { amountMinor: 0, penaltyMinor: 0 }),
  },
  participationLostLetter: {
    'after a payout': participationLostLetter(running, { amountMinor: 900_00, penaltyMinor: 0 }),
    'after a payout less a penalty': participationLostLetter(running, {
      ...{ amountMinor: 810_00, penaltyMinor: 90_00 },
    }),
    'after a payout of nothing': participationLostLetter(running, { amountMinor: 0, penaltyMinor: 50_00 }),
  },
  participationPartPaidOutLetter: {
    'to the wallet': participationPartPaidOutLetter(running, { amountMinor: 250_00, penaltyMinor: 0 }),
    'less a penalty': participationPartPaidOutLetter(running, { amountMinor: 225_00, penaltyMinor: 25_00 }),
  },
  participationLateProfitLetter: {
    'after the end': participationLateProfitLetter(running, { profitMinor: 5_25 }),
  },
  participationMaturityMovedLetter: {
    later: participationMaturityMovedLetter(
      { ...running, maturesAt: next.maturesAt },
      { maturesAt: next.maturesAt, before: new Date('2027-02-21T10:00:00.000Z') },
    ),
  },
};
