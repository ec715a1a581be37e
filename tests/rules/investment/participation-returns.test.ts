import {
  returnsOf,
  type Earning,
} from '../../../workflows/investment/participation/participation-returns.rules';

const DAY_MS = 86_400_000;
const start = new Date('2026-01-01T00:00:00Z');
const day = (n: number): Date => new Date(start.getTime() + n * DAY_MS);
const running: Earning = {
  ...{ status: 'ACTIVE', amountMinor: 100_000, withdrawnMinor: 0, earnedMinor: 0, returnExpectedBp: 730 },
  ...{ durationDays: 365, startedAt: start, maturesAt: day(365) },
};
const pending = (n: number, changes: Partial<Earning> = {}): number =>
  returnsOf({ ...running, ...changes }, day(n)).pendingMinor;

describe('the returns of a participation', () => {
  it('accrue by whole days until maturity', () => {
    expect([pending(0), pending(0.9), pending(1), pending(100), pending(365), pending(400)]).toEqual([
      ...[0, 0, 20, 2_000, 7_300, 7_300],
    ]);
  });

  it('are pending as far as they are not distributed, and only while it runs', () => {
    expect(pending(100, { earnedMinor: 1_500 })).toBe(500);
    expect(pending(100, { earnedMinor: 5_000 })).toBe(0);
    expect(pending(100, { earnedMinor: -500 })).toBe(2_500);
    expect(pending(100, { returnExpectedBp: -730 })).toBe(0);
    expect(pending(400, { status: 'MATURED' })).toBe(0);
    expect(pending(100, { status: 'PENDING_PAYMENT', startedAt: null, maturesAt: null })).toBe(0);
  });

  it('are projected on the principal in force until the maturity that holds', () => {
    const projected = (changes: Partial<Earning>) =>
      returnsOf({ ...running, ...changes }, day(1)).projectedMinor;
    expect(projected({})).toBe(7_300);
    expect(projected({ withdrawnMinor: 50_000 })).toBe(3_650);
    expect(projected({ maturesAt: day(730) })).toBe(14_600);
    expect(projected({ startedAt: null, maturesAt: null, durationDays: 100 })).toBe(2_000);
  });
});
