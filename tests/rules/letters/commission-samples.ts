import { commissionAdjustedLetter } from '../../../workflows/partners/commission/commission.letters';

const adjusted = {
  ...{ firstName: 'Ada', commissionId: '019a2b3c-0000-7000-8000-000000000001' },
  ...{ previousMinor: 1_000, newMinor: 750, currency: 'USD', reason: 'The order is being looked into.' },
};

/** The letters about commissions. */
export const commissionSamples = {
  commissionAdjustedLetter: {
    held: commissionAdjustedLetter('HOLD', adjusted),
    reversed: commissionAdjustedLetter('REVERSE', adjusted),
    corrected: commissionAdjustedLetter('ADJUST_AMOUNT', adjusted),
  },
};
