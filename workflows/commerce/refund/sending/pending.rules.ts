import { MINUTE_MS } from '../../../kit/values/durations.rules';

/** The longest wait before a pending refund is looked up again. */
export const LONGEST_LOOK_MS = 240 * MINUTE_MS;

/** The waits before that; then the longest one is repeated. */
export const LOOKS_AFTER_MS: readonly number[] = [10 * MINUTE_MS, 60 * MINUTE_MS];

/** From then on after its last look-up nobody looks a pending refund up: a look-up has half an hour to be answered, or its process parks. */
export const LOOK_OVERDUE_MS = LONGEST_LOOK_MS + 60 * MINUTE_MS;
