import { whyNotOffered } from '../../../workflows/investment/participation/require-offered';
import {
  isBeyondTerm,
  mostValueMinor,
  payoutBounds,
  penaltyOfTerms,
  penaltyTime,
  termFrom,
} from '../../../workflows/investment/participation/report-bounds.rules';

const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1 + n));

/** 1,000 from day 0 to day 90, locked for 30 days at 10 %. */
const held = {
  ...{ amountMinor: 1_000_00, withdrawnMinor: 0, earnedMinor: 50_00 },
  ...{ earlyWithdrawalPenaltyBp: 1_000, lockDays: 30, startedAt: day(0), maturesAt: day(90) },
};

test.each([
  [held, 29, 100_00],
  [held, 30, 0],
  [{ ...held, lockDays: 365 }, 89, 100_00],
  [{ ...held, lockDays: 365 }, 90, 0],
  [{ ...held, maturesAt: day(10) }, 10, 0],
  [held, -1, 100_00],
  [{ ...held, lockDays: 0 }, -1, 0],
  [{ ...held, startedAt: null }, 0, 0],
  [{ ...held, earlyWithdrawalPenaltyBp: null }, 0, 0],
])(
  'the penalty of %o on day %d is %d: the lock ends at maturity, and there is none without days',
  (of, at, penalty) => {
    expect(penaltyOfTerms(of, 1_000_00, day(at))).toBe(penalty);
  },
);

test.each([
  [3, 0],
  [3.01, 3.01],
  [-1, 0],
])('of a report that came %d days late, the terms of day %d count', (late, at) => {
  const [occurredAt, receivedAt] = [day(0), new Date(day(0).getTime() + late * 86_400_000)];
  expect(penaltyTime({ occurredAt, receivedAt }, 3)).toEqual(at === 0 ? occurredAt : receivedAt);
});

test('a payout is between what the terms leave and the share of one report beyond what is there', () => {
  expect(payoutBounds(held, 100, day(1))).toEqual({ leastMinor: 950_00, mostMinor: 2_050_00 });
  expect(payoutBounds(held, 10, day(31))).toEqual({ leastMinor: 1_050_00, mostMinor: 1_150_00 });
});

test('a value is at most principal, returns and that share; a loss lowers none of it', () => {
  expect(mostValueMinor(held, 10)).toBe(1_150_00);
  expect(mostValueMinor({ ...held, earnedMinor: -50_00 }, 10)).toBe(1_100_00);
});

test('a maturity is beyond the term a moment after the extension', () => {
  const term = { from: day(0), durationDays: 90 };
  expect(isBeyondTerm(term, day(455), 365)).toBe(false);
  expect(isBeyondTerm(term, new Date(day(455).getTime() + 1), 365)).toBe(true);
});

test.each([
  ['its start', { startedAt: day(1), paidAt: day(2), createdAt: day(0) }, 1],
  [
    'its payment, before a start that was reported',
    { startedAt: day(449), paidAt: day(2), createdAt: day(0) },
    2,
  ],
  [
    'its making, where nothing says when it was paid',
    { startedAt: day(449), paidAt: null, createdAt: day(3) },
    3,
  ],
])('a term is from %s', (_, times, from) => {
  expect(termFrom(times, 90)).toEqual({ from: day(from), durationDays: 90 });
});

test('a strategy without a maximum takes 1,000,000,000 at most', () => {
  const mostMinor = 1_000_000_000_00;
  const days = { minDays: 1, maxDays: 365 };
  const offer = { status: 'ACTIVE', currency: 'USD', minMinor: 1, maxMinor: null, ...days } as const;
  const without = { compoundingAvailable: false, automaticReinvestment: false };
  const asked = { currency: 'USD', durationDays: 30, compounding: false, autoReinvest: false };
  const why = (amountMinor: number) => whyNotOffered({ ...offer, ...without }, { ...asked, amountMinor });
  expect(why(mostMinor)).toBeNull();
  expect(why(mostMinor + 1)).toMatchObject({ code: 'AMOUNT_ABOVE_MAXIMUM' });
});
