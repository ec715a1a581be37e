import {
  entranceTransferLetter,
  entranceUnpaidLetter,
  joinedLetter,
  partnerActivatedLetter,
  partnerRankedLetter,
  partnerSuspendedLetter,
  partnerTerminatedLetter,
  type EntranceLetterData,
} from '../../../workflows/partners/membership/membership.letters';

const ada = { firstName: 'Ada' };
const entrance: EntranceLetterData = {
  ...ada,
  number: 'ENT-2026-00000007',
  amountMinor: 49_90,
  currency: 'USD',
};

/** The letters about memberships of the partner programme. */
export const membershipSamples = {
  joinedLetter: { 'a new partner': joinedLetter({ ...ada, referralCode: 'KX7RMQ4W' }) },
  entranceTransferLetter: {
    'waits for a bank transfer': entranceTransferLetter(entrance, {
      accountHolder: 'Marketplace GmbH',
      bankName: 'Demo Bank',
      accountNumber: 'DE02120300000000202051',
      bik: 'BYLADEM1001',
      purpose: entrance.number,
      payBy: new Date('2026-11-26T10:00:00.000Z'),
    }),
  },
  entranceUnpaidLetter: { 'not paid in time': entranceUnpaidLetter(entrance) },
  partnerSuspendedLetter: {
    'by an administrator': partnerSuspendedLetter({ ...ada, reason: 'Misleading promises to customers.' }),
  },
  partnerActivatedLetter: { 'by an administrator': partnerActivatedLetter(ada) },
  partnerRankedLetter: {
    'by an administrator': partnerRankedLetter({
      ...{ ...ada, previousRank: 'Builder', rank: 'Leader', reason: 'Agreed at the yearly meeting.' },
    }),
  },
  partnerTerminatedLetter: {
    'by an administrator': partnerTerminatedLetter({ ...ada, reason: 'Orders in the name of others.' }),
  },
};
