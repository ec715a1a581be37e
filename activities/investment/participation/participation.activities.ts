import { lockParticipation } from '../../../db/investment/participation/participation.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParticipationActivities } from '../../../workflows/investment/participation/participation.contract';
import { foundMoneyUseCases } from '../../commerce/payment-event/found-money.activities';
import { urgeReview } from '../../kyc/review/urge-review';
import { steps, type DbDeps } from '../../steps';
import { cancelParticipation } from './cancel-participation';
import { expireParticipation } from './expire-participation';
import { matureWhenDue } from './mature-participation';
import { openParticipation, type InvestmentTerms } from './open-participation';
import { stateOfParticipation } from './participation-state';

type Deps = DbDeps & InvestmentTerms;

export const participationActivities = (deps: Deps): ParticipationActivities =>
  steps<ParticipationActivities, Deps>(deps, {
    ...foundMoneyUseCases,
    openParticipation,
    expireParticipation,
    cancelParticipation,
    urgeReview,

    participationState: ({ db }, { participationId }) =>
      inTransaction(db, async (tx) => {
        const participation = await lockParticipation(tx, participationId);
        return participation && stateOfParticipation(tx, participationId);
      }),

    matureParticipation: ({ db, policy }, participation) => matureWhenDue(db, policy, participation),
  });
