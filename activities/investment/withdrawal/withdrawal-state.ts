import type { Withdrawal } from '../../../db/investment/withdrawal/withdrawal.transitions';
import type { Policy } from '../../../db/policy/config';
import type { WithdrawalState } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

/** The state of a withdrawal, as its process knows it. */
export function stateOf(
  { status, provider, createdAt }: Pick<Withdrawal, 'status' | 'provider' | 'createdAt'>,
  { transferOutDays }: Pick<Policy, 'transferOutDays'>,
): WithdrawalState {
  if (status !== 'PROCESSING' || provider === null) return { status, transfer: null };
  const overdueAt = new Date(createdAt.getTime() + transferOutDays * DAY_MS).toISOString();
  return { status, transfer: { provider, overdueAt } };
}
