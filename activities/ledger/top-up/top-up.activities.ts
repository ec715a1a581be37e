import { topUpById } from '../../../db/ledger/top-up/top-up.reads';
import type { Db } from '../../../db/sql/query';
import type { TopUpActivities } from '../../../workflows/ledger/top-up/top-up.contract';
import { foundMoneyActivities } from '../../commerce/payment/found-money.activities';
import { cancelTopUp, expireTopUp } from './cancel-top-up';
import { openTopUp, type TopUpTerms } from './open-top-up';
import { topUpStateOf } from './top-up-state';

export const topUpActivities = ({ db, ...terms }: TopUpTerms & { db: Db }): TopUpActivities => ({
  ...foundMoneyActivities({ db }),

  openTopUp: (command) => openTopUp(db, command, terms),

  async topUpState({ topUpId }) {
    const topUp = await topUpById(db, topUpId);
    return topUp && topUpStateOf(db, topUp);
  },

  cancelTopUp: (topUp) => cancelTopUp(db, topUp),

  expireTopUp: (topUp) => expireTopUp(db, topUp),
});
