import { findPayout } from '../../../db/commerce/payout/payout.transitions';
import { payCommissions } from '../../../db/partners/commission/paid.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  PayoutActivities,
  PayoutProviderActivities,
} from '../../../workflows/commerce/payout/payout.contract';
import { steps } from '../../steps';
import { completePayout } from './complete-payout';
import { approvePayout, cancelPayout, rejectPayout } from './decide-payout';
import { stateOf } from './payout-state';
import { processPayout } from './process-payout';
import { requestPayout, type PayoutDeps } from './request-payout';
import { leavePayout, sendPayout } from './send-payout';

type Activities = PayoutActivities & PayoutProviderActivities;

export const payoutActivities = (deps: PayoutDeps): Activities =>
  steps<Activities, PayoutDeps>(deps, {
    requestPayout,
    approvePayout,
    rejectPayout,
    cancelPayout,
    processPayout,
    completePayout,
    sendPayout,
    handOverPayout: leavePayout,

    async payoutState({ db, policy }, { payoutId }) {
      const payout = await findPayout(db, payoutId);
      return payout && stateOf(payout, policy);
    },

    payCommissions: ({ db }, { payoutId }) =>
      inTransaction(db, async (tx) => {
        const payout = await findPayout(tx, payoutId);
        if (payout?.partnerId == null) return 0;
        const { partnerId, currency } = payout;
        return payCommissions(tx, { partnerId, currency, at: new Date() });
      }),
  });
