import { topUpById } from '../../../db/ledger/top-up/top-up.reads';
import type { TopUpActivities } from '../../../workflows/ledger/top-up/top-up.contract';
import { foundMoneyUseCases } from '../../commerce/payment-event/found-money.activities';
import { steps } from '../../steps';
import { cancelTopUp, expireTopUp } from './cancel-top-up';
import { openTopUp, type TopUpDeps } from './open-top-up';
import { topUpStateOf } from './top-up-state';

export const topUpActivities = (deps: TopUpDeps): TopUpActivities =>
  steps<TopUpActivities, TopUpDeps>(deps, {
    ...foundMoneyUseCases,
    openTopUp,
    cancelTopUp,
    expireTopUp,

    async topUpState({ db }, { topUpId }) {
      const topUp = await topUpById(db, topUpId);
      return topUp && topUpStateOf(db, topUp);
    },
  });
