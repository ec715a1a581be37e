import { findPayout } from '../../../db/commerce/payout/payout.transitions';
import { payCommissions } from '../../../db/partners/commission/paid.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  PayoutActivities,
  PayoutProviderActivities,
} from '../../../workflows/commerce/payout/payout.contract';
import { completePayout } from './complete-payout';
import { approvePayout, cancelPayout, rejectPayout } from './decide-payout';
import { stateOf } from './payout-state';
import { processPayout } from './process-payout';
import { requestPayout, type PayoutDeps } from './request-payout';
import { leavePayout, sendPayout } from './send-payout';

export const payoutActivities = (deps: PayoutDeps): PayoutActivities & PayoutProviderActivities => ({
  async payoutState({ payoutId }) {
    const payout = await findPayout(deps.db, payoutId);
    return payout && stateOf(payout, deps.policy);
  },

  requestPayout: (request) => requestPayout(deps, request),
  approvePayout: (decision) => approvePayout(deps, decision),
  rejectPayout: (decision) => rejectPayout(deps, decision),
  cancelPayout: (decision) => cancelPayout(deps, decision),
  processPayout: (decision) => processPayout(deps, decision),
  completePayout: (report) => completePayout(deps, report),
  handOverPayout: (payout) => leavePayout(deps, payout),

  payCommissions: ({ payoutId }) =>
    inTransaction(deps.db, async (tx) => {
      const payout = await findPayout(tx, payoutId);
      if (payout?.partnerId == null) return 0;
      const { partnerId, currency } = payout;
      return payCommissions(tx, { partnerId, currency, at: new Date() });
    }),

  sendPayout: (payout) => sendPayout(deps, payout),
});
