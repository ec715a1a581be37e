import {
  levelMissingToInvest,
  levelMissingToOrder,
  levelMissingToWithdraw,
} from '../../../workflows/kyc/kyc-gate.rules';
import { requireLevel } from '../../../workflows/kyc/require-level';
import type { KycLevel } from '../../../workflows/kyc/kyc.rules';

test.each<[KycLevel, number, KycLevel | null]>([
  ['NONE', 100_000, null],
  ['NONE', 100_001, 'BASIC'],
  ['BASIC', 100_001, null],
  ['STANDARD', 100_000_000, null],
])('a buyer of level %s who orders for %i minor units lacks %s', (level, totalMinor, missing) => {
  expect(levelMissingToOrder({ level, totalMinor, partnerBalanceMinor: 0 }, 100_000)).toBe(missing);
});

test.each<[KycLevel, KycLevel | null]>([
  ['NONE', 'STANDARD'],
  ['BASIC', 'STANDARD'],
  ['STANDARD', null],
  ['ENHANCED', null],
])('a user of level %s who spends partner balance, withdraws or invests lacks %s', (level, missing) => {
  expect(levelMissingToOrder({ level, totalMinor: 100, partnerBalanceMinor: 1 }, 100_000)).toBe(missing);
  expect(levelMissingToWithdraw(level)).toBe(missing);
  expect(levelMissingToInvest({ level, investedMinor: 0, amountMinor: 1 }, 10_000_000)).toBe(missing);
});

test.each<[KycLevel, number, number, KycLevel | null]>([
  ['STANDARD', 0, 10_000_000, null],
  ['STANDARD', 0, 10_000_001, 'ENHANCED'],
  ['STANDARD', 9_999_999, 1, null],
  ['STANDARD', 10_000_000, 1, 'ENHANCED'],
  ['ENHANCED', 10_000_000, 10_000_000, null],
  ['BASIC', 10_000_000, 1, 'STANDARD'],
])('level %s with %i invested lacks for %i more: %s', (level, investedMinor, amountMinor, missing) => {
  expect(levelMissingToInvest({ level, investedMinor, amountMinor }, 10_000_000)).toBe(missing);
});

test.each<[KycLevel, RegExp]>([
  ['BASIC', /email address/],
  ['STANDARD', /identity for level STANDARD/],
  ['ENHANCED', /identity for level ENHANCED/],
])('the refusal for a missing %s says how to get it', (missing, message) => {
  expect(() => requireLevel(missing)).toThrow(
    expect.objectContaining({ type: 'KYC_REQUIRED', message: expect.stringMatching(message) }),
  );
});

test('nothing is refused while no level is missing', () => {
  expect(() => requireLevel(null)).not.toThrow();
});
