import { letter } from '../../db/administration/letter';
import { enqueueMail } from '../../db/administration/outbox.writes';
import { removeBlobs } from '../../db/blobs/discarded.writes';
import type { BlobStore } from '../../db/blobs/port';
import {
  GRACE_DAYS,
  lockAccount,
  scheduleDeletion,
  unscheduleDeletion,
  type DoomedAccount,
} from '../../db/identity/deletion.transitions';
import { eraseAccount } from '../../db/identity/erasure.transitions';
import { openMatters } from '../../db/identity/open-matters.reads';
import { deletionDueAt } from '../../db/identity/user.reads';
import type { Policy } from '../../db/policy/config';
import type { Db, Tx } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import { refusal } from '../../workflows/errors';
import type { AccountDeletionActivities } from '../../workflows/identity/account-deletion.contract';

interface AccountDeletionDeps {
  db: Db;
  blobs: BlobStore;
  policy: Pick<Policy, 'refundWindowDays'>;
}

export const accountDeletionActivities = ({
  db,
  blobs,
  policy,
}: AccountDeletionDeps): AccountDeletionActivities => ({
  scheduleDeletion: ({ userId, at }) =>
    inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account || account.erasedAt) throw refusal('UNAUTHORIZED', 'This account is gone.');
      if (account.dueAt) return { dueAt: account.dueAt.toISOString() };
      const dueAt = await scheduleDeletion(tx, userId, account, new Date(at));
      await mail(tx, userId, account, dueAt, farewell(dueAt));
      return { dueAt: dueAt.toISOString() };
    }),

  unscheduleDeletion: ({ userId, at }) =>
    inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account || account.erasedAt) throw refusal('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
      if (!account.dueAt) return;
      await unscheduleDeletion(tx, userId, new Date(at));
      await mail(tx, userId, account, account.dueAt, welcome);
    }),

  async dueDeletion({ userId }) {
    const dueAt = await deletionDueAt(db, userId);
    return dueAt && { dueAt: dueAt.toISOString() };
  },

  async eraseAccount({ userId, at }) {
    const moment = new Date(at);
    const erased = await inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account || account.erasedAt) return [];
      if (!account.dueAt || account.dueAt > moment) return 'KEPT' as const;
      const matters = await openMatters(tx, userId, {
        at: moment,
        returnWindowDays: policy.refundWindowDays,
      });
      return matters.length > 0 ? ('WAITING' as const) : eraseAccount(tx, userId, moment);
    });
    if (typeof erased === 'string') return erased;
    await removeBlobs(db, blobs, erased);
    return 'ERASED';
  },
});

interface Said {
  kind: 'deletion' | 'return';
  subject: string;
  paragraphs: string[];
}

const day = (moment: Date): string => moment.toISOString().slice(0, 10);

const farewell = (dueAt: Date): Said => ({
  kind: 'deletion',
  subject: 'Your account will be deleted',
  paragraphs: [
    `As you asked, your account and your personal data will be erased on ${day(dueAt)}, in ${GRACE_DAYS} days.`,
    'If you change your mind, or if this was not you, sign in before that day: then everything stays as it is.',
  ],
});

const welcome: Said = {
  kind: 'return',
  subject: 'Your account stays',
  paragraphs: ['You have signed in again, so your account will not be deleted.'],
};

/** The day names the wish: asked for twice, it is said once; after a return and another wish it is said again. */
async function mail(
  tx: Tx,
  userId: string,
  { email, firstName }: DoomedAccount,
  dueAt: Date,
  { kind, subject, paragraphs }: Said,
): Promise<void> {
  await enqueueMail(tx, {
    reference: `user:${userId}:${kind}:${dueAt.toISOString()}`,
    to: email,
    ...letter({ subject, greeting: `Hello ${firstName},`, paragraphs }),
  });
}
