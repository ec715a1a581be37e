import { poolShareLetter } from '../../../workflows/partners/pool/pool.letters';

const share = { firstName: 'Ada', amountMinor: 412_37, currency: 'USD' };

/** The letters about leadership pools. */
export const poolSamples = {
  poolShareLetter: {
    'of a week': poolShareLetter({ ...share, kind: 'WEEKLY', period: '2026-W40' }),
    'of a month': poolShareLetter({ ...share, kind: 'MONTHLY', period: '2026-09' }),
  },
};
