import { isAtLeast, KYC_LEVELS, orderNeedsKyc, type KycLevel } from '../../../workflows/kyc/kyc.rules';

test('each level is at least itself and those before it', () => {
  for (const [rank, level] of KYC_LEVELS.entries())
    for (const [wantedRank, wanted] of KYC_LEVELS.entries())
      expect({ level, wanted, enough: isAtLeast(level, wanted) }).toEqual({
        level,
        wanted,
        enough: rank >= wantedRank,
      });
});

test.each<[KycLevel, number, boolean]>([
  ['NONE', 100_000, false],
  ['NONE', 100_001, true],
  ['BASIC', 100_001, false],
  ['STANDARD', 100_000_000, false],
])(
  'a buyer known as %s who orders for %i minor units must be better known: %s',
  (level, totalMinor, needed) => {
    expect(orderNeedsKyc({ level, totalMinor, partnerBalanceMinor: 0 }, 100_000)).toBe(needed);
  },
);

test.each<[KycLevel, boolean]>([
  ['NONE', true],
  ['BASIC', true],
  ['STANDARD', false],
  ['ENHANCED', false],
])('a buyer known as %s who spends earnings must be better known: %s', (level, needed) => {
  expect(orderNeedsKyc({ level, totalMinor: 100, partnerBalanceMinor: 1 }, 100_000)).toBe(needed);
});
