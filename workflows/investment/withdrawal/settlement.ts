import { refusalIn } from '../../errors';
import type { Entity } from '../../kit/entity';
import { durableTransactions, now } from '../../kit/proxies';
import { alreadySettled } from './already-settled';
import type { WithdrawalActivities, WithdrawalSettlement, WithdrawalState } from './withdrawal.contract';

/** `mayBeSettled`: a report of a person was not answered with the new state, and may have settled the withdrawal. */
export interface Settling {
  mayBeSettled: boolean;
}

/**
 * Carries out the report of a person about a transfer. Refused, with the codes of `settleWithdrawal`, also when its provider's
 * transfer has arrived instead.
 */
export async function settle(
  withdrawal: Entity<WithdrawalState>,
  withdrawalId: string,
  settlement: WithdrawalSettlement,
  settling: Settling,
): Promise<WithdrawalState> {
  try {
    const { arrivedBy, ...state } = await durableTransactions<WithdrawalActivities>().settleWithdrawal({
      ...settlement,
      ...{ withdrawalId, at: now() },
    });
    if (arrivedBy === undefined) return state;
    withdrawal.readAgain();
    throw alreadySettled({ status: 'COMPLETED', provider: arrivedBy });
  } catch (error) {
    // The step may have settled it before, and its answer was lost.
    withdrawal.readAgain();
    settling.mayBeSettled = refusalIn(error)?.code !== 'CANNOT_SETTLE';
    throw error;
  }
}
