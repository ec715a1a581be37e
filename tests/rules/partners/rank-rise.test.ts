import { countedGroupPoints } from '../../../workflows/partners/rank/counted-points.rules';
import { rankRises, type RankCandidate } from '../../../workflows/partners/rank/rank-rise.rules';

const ranks = [
  { level: 1, personalPoints: 0, groupPoints: 0, legs: 0, legLevel: null },
  { level: 2, personalPoints: 100_00, groupPoints: 1_000_00, legs: 0, legLevel: null },
  { level: 3, personalPoints: 150_00, groupPoints: 10_000_00, legs: 2, legLevel: 2 },
];

const partner = (changes: Partial<RankCandidate> = {}): RankCandidate => ({
  ...{ partnerId: 'p', status: 'ACTIVE', rankLevel: 1, rankLimit: null, networkRankLevel: 1 },
  ...{ personalPoints: 500_00, groupPoints: 1_000_00, largestLegPoints: 500_00, legs: {} },
  ...changes,
});
const strong = { groupPoints: 20_000_00, largestLegPoints: 8_000_00 };

describe('group points', () => {
  test.each([
    [1_000, 500, 500, 1_000, true],
    [1_000, 0, 1_000, 1_000, false],
    [1_000, 1_000, 0, 1_000, false],
    [1_500, 0, 1_000, 1_000, true],
    [1_499, 0, 1_000, 1_000, false],
    [3, 1, 2, 3, false],
    [4, 2, 2, 3, true],
    [0, 0, 0, 0, true],
  ])(
    '%d with %d own and a leg of %d for %d: %s',
    (groupPoints, personalPoints, largestLegPoints, required, suffices) => {
      const counted = countedGroupPoints({ groupPoints, personalPoints, largestLegPoints }, required);
      expect(counted >= required).toBe(suffices);
    },
  );
});

test.each<[string, RankCandidate, number[]]>([
  ['reaches a rank', partner(), [2]],
  ['with too few personal points reaches none', partner({ personalPoints: 99_99 }), []],
  ['reaches two at once', partner({ ...strong, legs: { 3: 2 } }), [2, 3]],
  ['with too few legs stays', partner({ ...strong, legs: { 3: 1 } }), [2]],
  ['who is suspended reaches none', partner({ status: 'SUSPENDED' }), []],
  ['reaches none above the limit', partner({ ...strong, legs: { 3: 2 }, rankLimit: 2 }), [2]],
  ['does not reach a rank again', partner({ rankLevel: 2, networkRankLevel: 2 }), []],
])('a partner who %s', (_, candidate, reached) => {
  expect(rankRises([candidate], ranks)[0]?.reached ?? []).toEqual(reached);
});

test('a rank below gives the leg that was missing above, and raises the network of all above', () => {
  const above = partner({ partnerId: 'above', ...strong, rankLevel: 2, networkRankLevel: 2, legs: { 3: 1 } });
  const top = partner({ partnerId: 'top', status: 'SUSPENDED' });
  expect(rankRises([partner(), above, top], ranks)).toEqual([
    { partnerId: 'p', from: 1, reached: [2], rankLevel: 2, networkRankLevel: 2 },
    { partnerId: 'above', from: 2, reached: [3], rankLevel: 3, networkRankLevel: 3 },
    { partnerId: 'top', from: 1, reached: [], rankLevel: 1, networkRankLevel: 3 },
  ]);
});

test('a leg that had the rank before is counted once', () => {
  const below = partner({ networkRankLevel: 2 });
  const above = partner({ partnerId: 'above', ...strong, rankLevel: 2, networkRankLevel: 2, legs: { 3: 1 } });
  expect(rankRises([below, above], ranks).map(({ partnerId }) => partnerId)).toEqual(['p']);
});
