import { findWithdrawal } from '../../../db/investment/withdrawal/withdrawal.transitions';
import type {
  WithdrawalActivities,
  WithdrawalProviderActivities,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { steps } from '../../steps';
import { requestWithdrawal, type WithdrawalDeps } from './request-withdrawal';
import { leaveWithdrawal, sendWithdrawal } from './send-withdrawal';
import { settleWithdrawal } from './settle-withdrawal';
import { stateOf } from './withdrawal-state';

type Activities = WithdrawalActivities & WithdrawalProviderActivities;

export const withdrawalActivities = (deps: WithdrawalDeps): Activities =>
  steps<Activities, WithdrawalDeps>(deps, {
    requestWithdrawal,
    settleWithdrawal,
    sendWithdrawal,
    handOverWithdrawal: leaveWithdrawal,

    async withdrawalState({ db, policy }, { withdrawalId }) {
      const withdrawal = await findWithdrawal(db, withdrawalId);
      return withdrawal && stateOf(withdrawal, policy);
    },
  });
