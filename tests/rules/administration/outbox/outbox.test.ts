import { MOST_TRIES, waitAfterTry } from '../../../../workflows/administration/outbox/outbox.rules';

test('waits from a second to an hour, and some five hours in all', () => {
  const waits = Array.from({ length: MOST_TRIES }, (_, n) => waitAfterTry(n + 1));
  expect(waits.slice(0, 3)).toEqual([1_000, 4_000, 16_000]);
  expect(waits.slice(-3)).toEqual([3_600_000, 3_600_000, null]);
  const hours = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600_000;
  expect(hours).toBeCloseTo(5.4, 1);
});

test('there is no try after the last', () => {
  expect(waitAfterTry(MOST_TRIES + 1)).toBeNull();
});
