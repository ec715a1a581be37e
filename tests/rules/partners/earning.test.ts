import {
  commissionMinor,
  entranceCommissions,
  netOf,
  profitCommissions,
  saleCommissions,
  type CommissionTerms,
  type EarnedCommission,
  type Upline,
} from '../../../workflows/partners/commission/earning.rules';

const terms: CommissionTerms = {
  rates: {
    ...{ personalSaleBp: 5_000, repeatSaleBp: 3_000, clientProfitBp: 500, withholdingBp: 0 },
    ...{ entranceLevel1Bp: 2_000, entranceLevel2Bp: 700, entranceLevel3Bp: 300 },
  },
  ranks: [0, 1_000, 2_000, 3_000, 4_000].map((teamRateBp, index) => ({
    ...{ level: index + 1, teamRateBp, profitRateBp: teamRateBp / 10 },
  })),
};

/** A way up: `1` is an ACTIVE partner of that rank, `-1` one who is suspended. */
const way = (...ranks: number[]): Upline[] =>
  ranks.map((rank, index) => ({
    partnerId: `p${index}`,
    status: rank > 0 ? 'ACTIVE' : index % 2 ? 'SUSPENDED' : 'TERMINATED',
    rankLevel: Math.abs(rank),
  }));

const short = ({ partnerId, type, level, rateBp, metRateBp, grossMinor }: EarnedCommission): string =>
  [partnerId, type, level, rateBp, metRateBp ?? '-', grossMinor].join(' ');

/** 1,000.00 at 10 %: a pool of 100.00. */
const sale = { sourceType: 'ORDER', weight: 1_000_00n * 1_000n, isRepeat: false } as const;

describe('a sale', () => {
  test.each<[string, Upline[], boolean, string[]]>([
    ['without a partner pays nobody', [], false, []],
    ['without an ACTIVE partner pays nobody', way(-1, -5), false, []],
    ['pays its sponsor half of the pool', way(1), false, ['p0 1 1 5000 - 5000']],
    ['of a later order pays its sponsor less', way(1), true, ['p0 3 1 3000 - 3000']],
    ['gives its sponsor no differential', way(5), false, ['p0 1 1 5000 - 5000']],
    [
      'gives those above their rate less the highest met',
      way(2, 3, 2, 5),
      false,
      ['p0 1 1 5000 - 5000', 'p1 2 2 1000 1000 1000', 'p3 2 4 2000 2000 2000'],
    ],
    [
      'skips who is not ACTIVE, rate and level too',
      way(-5, 1, -5, 3),
      false,
      ['p1 1 1 5000 - 5000', 'p3 2 2 2000 0 2000'],
    ],
    ['pays nothing above the highest rank', way(5, 5, 5), false, ['p0 1 1 5000 - 5000']],
    ['knows no rate of an unknown rank', way(9, 2), false, ['p0 1 1 5000 - 5000', 'p1 2 2 1000 0 1000']],
  ])('%s', (_, uplines, isRepeat, expected) => {
    expect(saleCommissions(terms, uplines, { ...sale, isRepeat }).map(short)).toEqual(expected);
  });

  test('of a rate of nothing makes no commission', () => {
    expect(saleCommissions(terms, way(1, 5), { ...sale, weight: 0n })).toEqual([]);
  });
});

test('a profit pays its sponsor, and the differential of profits above', () => {
  expect(profitCommissions(terms, way(1, -3, 3, 4), 1_000_00).map(short)).toEqual([
    'p0 5 1 500 - 5000',
    'p2 6 2 200 0 2000',
    'p3 6 3 100 200 1000',
  ]);
});

test('an entrance fee pays the three ACTIVE partners next above', () => {
  expect(entranceCommissions(terms, way(1, -1, 1, 5, 5), 100_00).map(short)).toEqual([
    'p0 0 1 2000 - 2000',
    'p2 0 2 700 - 700',
    'p3 0 3 300 - 300',
  ]);
});

test.each([
  [1n * 10_000n, 5_000, 1],
  [1n * 10_000n, 4_999, 0],
  [3n * 3_333n, 5_000, 0],
  [99n * 1_000n, 5_000, 5],
  [9_007_199_254_740_991n * 10_000n, 10_000, 9_007_199_254_740_991],
])('%d at %d basis points is %d, rounded half up at the end', (weight, rateBp, expected) => {
  expect(commissionMinor(weight, rateBp)).toBe(expected);
});

test('what is withheld is rounded once', () => {
  expect([netOf(101, 0), netOf(101, 1_000), netOf(105, 1_000), netOf(1, 10_000)]).toEqual([101, 91, 94, 0]);
});
