import fc from 'fast-check';
import {
  withdrawalTerms,
  type WithdrawableParticipation,
} from '../../../workflows/investment/withdrawal/withdrawal-terms.rules';

const DAY_MS = 86_400_000;
const start = new Date('2026-01-01T00:00:00Z');
const day = (n: number): Date => new Date(start.getTime() + n * DAY_MS);

const participation: WithdrawableParticipation = {
  ...{ status: 'ACTIVE', amountMinor: 100_000, withdrawnMinor: 0, earnedMinor: 2_500 },
  ...{ earlyWithdrawalAllowed: true, earlyWithdrawalPenaltyBp: 500, lockDays: 90 },
  ...{ startedAt: start, maturesAt: day(365) },
};
const at = (n: number, changes: Partial<WithdrawableParticipation> = {}) =>
  withdrawalTerms({ ...participation, ...changes }, day(n));

describe('the terms of a withdrawal', () => {
  test('within the lock period the penalty is a percentage of the principal', () => {
    expect(at(89)).toEqual({
      ...{ allowed: true, refusal: null, principalMinor: 100_000 },
      ...{ penaltyBp: 500, penaltyMinor: 5_000, netMinor: 97_500, lockPeriodEndsAt: day(90) },
    });
  });

  test('from the end of the lock period on there is none', () => {
    expect(at(90)).toMatchObject({ allowed: true, penaltyBp: null, penaltyMinor: 0, netMinor: 102_500 });
  });

  test('the penalty counts the principal in force only', () => {
    expect(at(1, { withdrawnMinor: 40_000 })).toMatchObject({
      ...{ principalMinor: 60_000, penaltyMinor: 3_000, netMinor: 59_500 },
    });
  });

  test('the penalty takes no more than there is', () => {
    const lost = { earnedMinor: -60_000, earlyWithdrawalPenaltyBp: 5_000 };
    expect(at(1, lost)).toMatchObject({ penaltyMinor: 40_000, netMinor: 0 });
    expect(at(1, { ...lost, earnedMinor: -150_000 })).toMatchObject({ penaltyMinor: 0, netMinor: 0 });
  });

  test.each([
    ['locked, and no penalty is set', 1, { earlyWithdrawalPenaltyBp: null }, 'LOCK_PERIOD_ACTIVE'],
    ['the strategy forbids it', 100, { earlyWithdrawalAllowed: false }, 'WITHDRAWAL_NOT_ALLOWED'],
    [
      'the strategy forbids it, locked or not',
      1,
      { earlyWithdrawalAllowed: false },
      'WITHDRAWAL_NOT_ALLOWED',
    ],
    ['it waits for payment', 1, { status: 'PENDING_PAYMENT', startedAt: null }, 'WITHDRAWAL_NOT_ALLOWED'],
    ['it was cancelled', 1, { status: 'CANCELLED', startedAt: null }, 'WITHDRAWAL_NOT_ALLOWED'],
    ['its provider has paid all of it out', 100, { withdrawnMinor: 100_000 }, 'WITHDRAWAL_NOT_ALLOWED'],
    ['it was withdrawn', 400, { status: 'WITHDRAWN' }, 'ALREADY_WITHDRAWN'],
    ['it has matured', 400, { status: 'MATURED' }, 'ALREADY_MATURED'],
  ] as const)('refused: %s', (_, days, changes, refusal) => {
    expect(at(days, changes)).toMatchObject({
      ...{ allowed: false, refusal, penaltyBp: null, penaltyMinor: 0, netMinor: 0 },
    });
  });

  test('one that is due is paid out in full, whatever its terms are', () => {
    const terms = { earlyWithdrawalAllowed: false, earlyWithdrawalPenaltyBp: null, lockDays: 1_000 };
    expect(at(364, terms)).toMatchObject({ allowed: false, lockPeriodEndsAt: day(365) });
    expect(at(365, terms)).toMatchObject({ allowed: true, penaltyMinor: 0, netMinor: 102_500 });
  });

  test('a strategy without a lock period has no end of it, and a penalty of nothing is none', () => {
    expect(at(0, { lockDays: 0 })).toMatchObject({ allowed: true, penaltyBp: null, lockPeriodEndsAt: null });
    expect(at(0, { earlyWithdrawalPenaltyBp: 0 })).toMatchObject({ allowed: true, penaltyBp: null });
  });

  test('what is paid and what is kept are whole minor units that add up to what there is', () => {
    const held = fc.record({
      amountMinor: fc.integer({ min: 1, max: 1_000_000_000 }),
      earnedMinor: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      earlyWithdrawalPenaltyBp: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(held, fc.integer({ min: 0, max: 400 }), (changes, days) => {
        const terms = at(days, changes);
        const thereIs = Math.max(0, changes.amountMinor + changes.earnedMinor);
        expect(terms.netMinor + terms.penaltyMinor).toBe(thereIs);
        expect(Number.isSafeInteger(terms.netMinor) && terms.netMinor >= 0).toBe(true);
        expect(terms.penaltyMinor).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
