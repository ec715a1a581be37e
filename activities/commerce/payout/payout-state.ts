import type { PayoutRow } from '../../../db/commerce/payout/payout.transitions';
import type { Policy } from '../../../db/policy/config';
import type { PayoutState } from '../../../workflows/commerce/payout/payout.contract';
import { payoutStates } from '../../../workflows/commerce/payout/payout.states';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

type Standing = Pick<
  PayoutRow,
  'status' | 'provider' | 'createdAt' | 'approvedAt' | 'processedAt' | 'lastRefusal'
>;

/** The state of a payout, as its process knows it. */
export function stateOf(
  { status, provider, createdAt, approvedAt, processedAt, lastRefusal }: Standing,
  { transferOutDays }: Pick<Policy, 'transferOutDays'>,
): PayoutState {
  if (payoutStates.isFinal(status)) return { status, transfer: null, overdueAt: null, lastRefusal };
  const since = processedAt ?? approvedAt ?? createdAt;
  const overdueAt = new Date(since.getTime() + transferOutDays * DAY_MS).toISOString();
  const isSent = status === 'PROCESSING' && provider !== null;
  return { status, transfer: isSent ? { provider, overdueAt } : null, overdueAt, lastRefusal };
}
