import { policyFrom } from '../../../../db/policy/config';
import { LOOK_UP_TIMES, PROVIDER_CALL_MS, PROVIDER_STEP_MS } from '../../../../workflows/kit/provider-times';

/** A local step's own limit: one short transaction. */
const TRANSACTION_MS = 10_000;

test('a step has time to ask what became of its last try, to act, and to write it down', () => {
  expect(PROVIDER_STEP_MS).toBeGreaterThanOrEqual(2 * PROVIDER_CALL_MS + TRANSACTION_MS);
});

describe('a look-up', () => {
  const { atOnce, callMs, closingMs, askingMs, tryMs, allTriesMs } = LOOK_UP_TIMES;
  const groups = Math.ceil(policyFrom({}).paymentAttempts / atOnce);

  test('can close and ask about all attempts that the policy allows, however slow each answer', () => {
    expect(closingMs).toBeGreaterThanOrEqual(groups * callMs);
    expect(askingMs - closingMs).toBeGreaterThanOrEqual(groups * callMs);
  });

  test('stops asking in time to apply the answers', () => {
    expect(tryMs).toBeGreaterThanOrEqual(askingMs + TRANSACTION_MS);
  });

  test('can be tried twice in full while stock is held', () => {
    expect(allTriesMs).toBeGreaterThanOrEqual(2 * tryMs);
  });
});
