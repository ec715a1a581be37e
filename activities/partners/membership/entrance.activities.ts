import { newestEntrance } from '../../../db/partners/membership/entrance.reads';
import { partnerOfUser } from '../../../db/partners/membership/partner.reads';
import type { Db } from '../../../db/sql/query';
import type { EntranceActivities } from '../../../workflows/partners/membership/entrance.contract';
import { foundMoneyActivities } from '../../commerce/payment/found-money.activities';
import { expireEntrance } from './cancel-entrance';
import { entranceStateOf, joinedState } from './entrance-state';
import { openEntrance, type EntranceTerms } from './open-entrance';

export const entranceActivities = ({ db, ...terms }: EntranceTerms & { db: Db }): EntranceActivities => ({
  ...foundMoneyActivities({ db }),

  openEntrance: (command) => openEntrance(db, command, terms),

  async entranceState({ userId }) {
    const isPartner = (await partnerOfUser(db, userId)) !== null;
    const entrance = await newestEntrance(db, userId);
    return isPartner ? joinedState(db, entrance) : entrance && entranceStateOf(db, entrance);
  },

  expireEntrance: (entrance) => expireEntrance(db, entrance),
});
