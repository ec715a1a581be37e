import { newestEntrance } from '../../../db/partners/membership/entrance.reads';
import { partnerOfUser } from '../../../db/partners/membership/partner.reads';
import type { Db } from '../../../db/sql/query';
import type { EntranceActivities } from '../../../workflows/partners/membership/entrance.contract';
import { foundMoneyActivities } from '../../commerce/payment/found-money.activities';
import { expireEntrance } from './cancel-entrance';
import { entranceStateOf } from './entrance-state';
import { openEntrance, type EntranceTerms } from './open-entrance';

export const entranceActivities = ({ db, ...terms }: EntranceTerms & { db: Db }): EntranceActivities => ({
  ...foundMoneyActivities({ db }),

  openEntrance: (command) => openEntrance(db, command, terms),

  async entranceState({ userId }) {
    if (await partnerOfUser(db, userId)) return { status: 'JOINED' };
    const entrance = await newestEntrance(db, userId);
    return entrance && entranceStateOf(entrance);
  },

  expireEntrance: (entrance) => expireEntrance(db, entrance),
});
