import type { BlobStore } from '../../../db/blobs/port';
import { withdrawnReviews } from '../../../db/kyc/ending/withdrawn.reads';
import { deletionDueAt } from '../../../db/identity/user/user.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { AccountDeletionActivities } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { steps } from '../../steps';
import { cancelByToken, cancelOnSignIn } from './cancel-deletion';
import { eraseDueAccount } from './erase-account';
import { scheduleDeletion } from './schedule-deletion';

interface AccountDeletionDeps {
  db: Db;
  blobs: BlobStore;
  policy: Pick<Policy, 'deletionGraceDays' | 'undoDays' | 'refundWindowDays'>;
}

/** The steps of deleting an account. Each is one transaction that may be repeated. */
export const accountDeletionActivities = (deps: AccountDeletionDeps): AccountDeletionActivities =>
  steps<AccountDeletionActivities, AccountDeletionDeps>(deps, {
    scheduleDeletion,
    unscheduleDeletion: cancelOnSignIn,
    undoDeletion: cancelByToken,
    eraseAccount: eraseDueAccount,

    async dueDeletion({ db }, { userId }) {
      const dueAt = await deletionDueAt(db, userId);
      return dueAt && { dueAt: dueAt.toISOString() };
    },

    reviewsEndedByErasure: ({ db }, { userId }) => withdrawnReviews(db, userId),
  });
