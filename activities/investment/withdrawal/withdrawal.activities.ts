import { findWithdrawal } from '../../../db/investment/withdrawal/withdrawal.transitions';
import type {
  WithdrawalActivities,
  WithdrawalProviderActivities,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { requestWithdrawal, type WithdrawalDeps } from './request-withdrawal';
import { leaveWithdrawal, sendWithdrawal } from './send-withdrawal';
import { settleWithdrawal } from './settle-withdrawal';
import { stateOf } from './withdrawal-state';

export const withdrawalActivities = (
  deps: WithdrawalDeps,
): WithdrawalActivities & WithdrawalProviderActivities => ({
  async withdrawalState({ withdrawalId }) {
    const withdrawal = await findWithdrawal(deps.db, withdrawalId);
    return withdrawal && stateOf(withdrawal, deps.policy);
  },

  requestWithdrawal: (request) => requestWithdrawal(deps, request),

  settleWithdrawal: (settlement) => settleWithdrawal(deps, settlement),

  handOverWithdrawal: (withdrawal) => leaveWithdrawal(deps, withdrawal),

  sendWithdrawal: (withdrawal) => sendWithdrawal(deps, withdrawal),
});
