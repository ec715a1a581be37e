import type { z } from 'zod';
import { inMajorUnits } from '../../../../api/admin/audit-logs/in-major-units';

const cases: [string, z.core.util.JSONType, z.core.util.JSONType][] = [
  ['an amount', { priceMinor: 1818 }, { price: 18.18 }],
  ['an amount below zero', { amountMinor: -5 }, { amount: -0.05 }],
  ['no amount', { compareAtPriceMinor: null }, { compareAtPrice: null }],
  [
    'the currency of the same object',
    { amountMinor: 500, currency: 'JPY' },
    { amount: 500, currency: 'JPY' },
  ],
  [
    'the currency around it, at any depth',
    { currency: 'JPY', lines: [{ totalMinor: 7 }, { totalMinor: 700, currency: 'USD' }] },
    { currency: 'JPY', lines: [{ total: 7 }, { total: 7, currency: 'USD' }] },
  ],
  ['rates', { rateBp: 1900 }, { rate: 19 }],
  ['percentages', { percentageBp: 1250 }, { percentage: 12.5 }],
  [
    'shares',
    { commissionBp: 5, careerPointsBp: null },
    { commissionPercentage: 0.05, careerPointsPercentage: null },
  ],
  ['a name that is there already', { priceMinor: 1818, price: 'x' }, { priceMinor: 1818, price: 'x' }],
  [
    'what is no amount',
    { noteMinor: 'x', amountMinor: 1.5, Minor: 5, minor: 5 },
    { noteMinor: 'x', amountMinor: 1.5, Minor: 5, minor: 5 },
  ],
  ['what is too large to be one', { amountMinor: 1e18 }, { amountMinor: 1e18 }],
  ['other things', [1, 'a', null, true, { weightGrams: 5 }], [1, 'a', null, true, { weightGrams: 5 }]],
  ['nothing', null, null],
];

test.each(cases)('%s', (_what, recorded, shown) => {
  expect(inMajorUnits(recorded)).toEqual(shown);
});
