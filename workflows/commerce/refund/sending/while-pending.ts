import { condition, setCurrentDetails } from '@temporalio/workflow';
import { now } from '../../../kit/proxies';
import type { Parking } from '../../../kit/parking';
import { LOOKS_AFTER_MS, LONGEST_LOOK_MS } from './pending.rules';
import { changesOf, type Signals } from './signals';

const WORDS =
  'The provider has the refund and has not finished it. It is looked up until it has, and whenever the provider reports.';

/**
 * The waits for a refund that its provider has and sends later by itself, one for each call. A report that has come since `seen`,
 * the number of changes before the provider was asked, ends a wait. After
 * `overdueAfterMs` since the first, the process parks, and again as long after an operator has retried.
 */
export function pendingWaits(
  state: Signals,
  parking: Parking,
): (pending: { overdueAfterMs: number; seen: number }) => Promise<void> {
  let looks = 0;
  let since = Date.parse(now());
  return async ({ overdueAfterMs, seen }) => {
    setCurrentDetails(WORDS);
    const changed = (): boolean => changesOf(state) !== seen;
    if (looks === 0) since = Date.parse(now());
    if (state.isOverdue || Date.parse(now()) - since >= overdueAfterMs) {
      state.isOverdue = true;
      await parking.ask(
        `${WORDS} It takes too long: ask the provider. Do not send it by hand before the provider has cancelled it.`,
        changed,
      );
      state.isOverdue = false;
      since = Date.parse(now());
      return;
    }
    const waitMs = LOOKS_AFTER_MS[looks++] ?? LONGEST_LOOK_MS;
    await condition(changed, waitMs, { summary: 'looks at the refund again' });
  };
}
