import type { BlobStore } from '../../../db/blobs/port';
import { withdrawnReviews } from '../../../db/kyc/ending/withdrawn.reads';
import { deletionDueAt } from '../../../db/identity/user/user.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { AccountDeletionActivities } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { undoDeletion, unscheduleDeletion } from './cancel-deletion';
import { eraseDueAccount } from './erase-account';
import { scheduleDeletion } from './schedule-deletion';

interface AccountDeletionDeps {
  db: Db;
  blobs: BlobStore;
  policy: Pick<Policy, 'deletionGraceDays' | 'undoDays' | 'refundWindowDays'>;
}

/** The steps of deleting an account. Each is one transaction that may be repeated. */
export const accountDeletionActivities = (deps: AccountDeletionDeps): AccountDeletionActivities => ({
  scheduleDeletion: (command) =>
    scheduleDeletion(deps.db, { ...command, at: new Date(command.at) }, deps.policy),
  unscheduleDeletion: ({ userId, at }) => unscheduleDeletion(deps.db, userId, new Date(at)),
  undoDeletion: (command) => undoDeletion(deps.db, { ...command, at: new Date(command.at) }),

  async dueDeletion({ userId }) {
    const dueAt = await deletionDueAt(deps.db, userId);
    return dueAt && { dueAt: dueAt.toISOString() };
  },

  eraseAccount: ({ userId, at }) =>
    eraseDueAccount(deps, { userId, at: new Date(at), returnWindowDays: deps.policy.refundWindowDays }),

  reviewsEndedByErasure: ({ userId }) => withdrawnReviews(deps.db, userId),
});
