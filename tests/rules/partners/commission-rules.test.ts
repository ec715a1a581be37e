import {
  effectOf,
  statusAfter,
  ADJUSTMENTS,
} from '../../../workflows/partners/commission/commission-adjustment.rules';
import { halfUp } from '../../../workflows/partners/commission/commission-explanation.rules';
import { commissionStates } from '../../../workflows/partners/commission/commission.states';
import { monthOf } from '../../../workflows/partners/statement/statement.rules';
import { countedGroupPoints } from '../../../workflows/partners/rank/counted-points.rules';
import { progressTo } from '../../../workflows/partners/rank/rank-progress.rules';

test('an adjustment changes the status only as the table of states has it', () => {
  for (const action of ADJUSTMENTS)
    for (const from of commissionStates.names) {
      const to = statusAfter(action, from);
      if (to !== null && to !== from) expect(commissionStates.canMove(from, to)).toBe(true);
    }
});

test('the effect of a move is what leaves one balance and joins the other', () => {
  const before = { netMinor: 500, status: 'APPROVED' } as const;
  expect(effectOf([{ before, after: { netMinor: 500, status: 'HELD' } }])).toEqual({
    ...{ pendingMinor: 500, availableMinor: -500, earnedMinor: 0 },
  });
  expect(effectOf([{ before, after: { netMinor: 500, status: 'REVERSED' } }])).toEqual({
    ...{ pendingMinor: 0, availableMinor: -500, earnedMinor: -500 },
  });
});

test.each([
  [5n, 10n, 1n],
  [4n, 10n, 0n],
  [15n, 10n, 2n],
  [-5n, 10n, 0n],
  [-6n, 10n, -1n],
  [0n, 7n, 0n],
])('%s ÷ %s rounded half up is %s', (dividend, divisor, rounded) => {
  expect(halfUp(dividend, divisor)).toBe(rounded);
});

test('no leg counts for more than half of the required group points', () => {
  const standing = { personalPoints: 0, groupPoints: 1_000, largestLegPoints: 900, rankedLegs: 0 };
  expect(countedGroupPoints(standing, 1_000)).toBe(600);
  expect(countedGroupPoints({ ...standing, largestLegPoints: 500 }, 1_000)).toBe(1_000);
  expect(countedGroupPoints({ ...standing, personalPoints: 1_000, largestLegPoints: 0 }, 1_000)).toBe(500);
});

test('progress says 100 of what is achieved only, and leaves out what is not required', () => {
  const standing = { personalPoints: 9_999, groupPoints: 0, largestLegPoints: 0, rankedLegs: 0 };
  expect(progressTo({ personalPoints: 10_000, groupPoints: 0, legs: 0 }, standing)).toEqual([
    { name: 'PERSONAL_POINTS', required: 10_000, achieved: 9_999, percentage: 99.99 },
  ]);
  expect(
    progressTo({ personalPoints: 3, groupPoints: 0, legs: 0 }, { ...standing, personalPoints: 2 }),
  ).toMatchObject([{ percentage: 66.66 }]);
});

test('a month of a statement ends where the next begins, also in December', () => {
  expect(monthOf('2026-12')).toEqual({
    period: '2026-12',
    from: new Date('2026-12-01T00:00:00.000Z'),
    to: new Date('2027-01-01T00:00:00.000Z'),
  });
});
