import { newestEntrance } from '../../../db/partners/membership/entrance.reads';
import { partnerOfUser } from '../../../db/partners/membership/partner.reads';
import type { EntranceActivities } from '../../../workflows/partners/membership/entrance.contract';
import { foundMoneyUseCases } from '../../commerce/payment-event/found-money.activities';
import { steps, type DbDeps } from '../../steps';
import { expireEntrance } from './cancel-entrance';
import { entranceStateOf, joinedState } from './entrance-state';
import { openEntrance, type EntranceTerms } from './open-entrance';

type Deps = DbDeps & EntranceTerms;

export const entranceActivities = (deps: Deps): EntranceActivities =>
  steps<EntranceActivities, Deps>(deps, {
    ...foundMoneyUseCases,
    openEntrance,
    expireEntrance,

    async entranceState({ db }, { userId }) {
      const isPartner = (await partnerOfUser(db, userId)) !== null;
      const entrance = await newestEntrance(db, userId);
      return isPartner ? joinedState(db, entrance) : entrance && entranceStateOf(db, entrance);
    },
  });
