import { lockParticipation } from '../../../db/investment/participation/participation.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParticipationActivities } from '../../../workflows/investment/participation/participation.contract';
import { foundMoneyActivities } from '../../commerce/payment/found-money.activities';
import type { Payments } from '../../commerce/payment/payment-offer';
import { urgeReview } from '../../kyc/review/urge-review';
import { cancelParticipation } from './cancel-participation';
import { expireParticipation } from './expire-participation';
import { matureWhenDue } from './mature-participation';
import { openParticipation } from './open-participation';
import { stateOfParticipation } from './participation-state';

export const participationActivities = ({
  db,
  payments,
  policy,
}: {
  db: Db;
  payments: Payments;
  policy: Policy;
}): ParticipationActivities => ({
  ...foundMoneyActivities({ db }),

  openParticipation: (command) => openParticipation(db, command, { payments, policy }),

  participationState: ({ participationId }) =>
    inTransaction(db, async (tx) => {
      const participation = await lockParticipation(tx, participationId);
      return participation && stateOfParticipation(tx, participationId);
    }),

  expireParticipation: (participation) => expireParticipation(db, participation),

  cancelParticipation: (decision) => cancelParticipation(db, decision),

  matureParticipation: (participation) => matureWhenDue(db, policy, participation),

  urgeReview: (investment) => urgeReview(db, policy, investment),
});
