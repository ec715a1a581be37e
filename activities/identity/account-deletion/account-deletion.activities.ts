import { v7 } from 'uuid';
import { counted, letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { removeBlobs } from '../../../db/blobs/discarded.writes';
import type { BlobStore } from '../../../db/blobs/port';
import {
  lockAccount,
  scheduleDeletion,
  unscheduleDeletion,
  type DoomedAccount,
} from '../../../db/identity/account-deletion/deletion.transitions';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { isUsedBy, mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { issueToken, supersedeTokens, useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { openMatters } from '../../../db/identity/user/open-matters.reads';
import { isSessionLive } from '../../../db/identity/session/session.reads';
import { deletionDueAt } from '../../../db/identity/user/user.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type {
  AccountDeletionActivities,
  DueDeletion,
} from '../../../workflows/identity/account-deletion/account-deletion.contract';

interface AccountDeletionDeps {
  db: Db;
  blobs: BlobStore;
  policy: DeletionPolicy;
}

type DeletionPolicy = Pick<Policy, 'deletionGraceDays' | 'undoDays' | 'refundWindowDays'>;

export const accountDeletionActivities = ({
  db,
  blobs,
  policy,
}: AccountDeletionDeps): AccountDeletionActivities => ({
  scheduleDeletion: (command) => inTransaction(db, (tx) => scheduleIn(tx, command, policy)),

  unscheduleDeletion: ({ userId, at }) =>
    inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account || account.erasedAt) throw refusal('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
      await keepAccount(tx, userId, account, new Date(at), BACK_BY_SIGNING_IN);
    }),

  undoDeletion: (command) => inTransaction(db, (tx) => undoIn(tx, command)),

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

type Command<Name extends 'scheduleDeletion' | 'undoDeletion'> = Parameters<
  AccountDeletionActivities[Name]
>[0];

async function scheduleIn(
  tx: Tx,
  { userId, sessionId, at }: Command<'scheduleDeletion'>,
  { deletionGraceDays: graceDays, undoDays }: DeletionPolicy,
): Promise<DueDeletion> {
  const account = await lockAccount(tx, userId);
  if (!account || account.erasedAt) throw refusal('UNAUTHORIZED', 'This account is gone.');
  if (account.dueAt) return { dueAt: account.dueAt.toISOString() };
  if (sessionId !== undefined && !(await isSessionLive(tx, userId, sessionId)))
    throw refusal('UNAUTHORIZED', 'This session has ended.');
  const moment = new Date(at);
  const dueAt = await scheduleDeletion(tx, userId, account, { at: moment, graceDays });
  const undo = { id: v7(), userId, purpose: 'UNDO_DELETION' as const, at: moment };
  const token = await issueToken(tx, { ...undo, lifetimeMs: undoDays * DAY_MS });
  await mail(tx, userId, account, dueAt, farewell(dueAt, graceDays, token));
  return { dueAt: dueAt.toISOString() };
}

async function undoIn(tx: Tx, { userId, tokenId, at, ...by }: Command<'undoDeletion'>): Promise<void> {
  const account = await lockAccount(tx, userId);
  const token = await mailedToken(tx, tokenId);
  if (!account || account.erasedAt || token?.userId !== userId || token.superseded) throw invalidToken();
  const moment = new Date(at);
  if (isUsedBy(token, { ...by, at: moment })) return; // Done before, and tried again.
  if (token.usedAt !== null) throw invalidToken();
  if (!(await useToken(tx, tokenId, moment, by.useId)))
    throw refusal('TOKEN_EXPIRED', 'This token has expired.');
  await keepAccount(tx, userId, account, moment, BACK_BY_TOKEN);
}

/** Takes the day back, if one is set, with the token that would do so; the owner is told. */
async function keepAccount(
  tx: Tx,
  userId: string,
  account: DoomedAccount,
  at: Date,
  because: string,
): Promise<void> {
  if (!account.dueAt) return;
  await unscheduleDeletion(tx, userId, at);
  await supersedeTokens(tx, userId, 'UNDO_DELETION', at);
  await mail(tx, userId, account, account.dueAt, {
    kind: 'return',
    subject: 'Your account stays',
    paragraphs: [`${because}, so your account will not be deleted.`],
  });
}

const BACK_BY_SIGNING_IN = 'You have signed in again';
const BACK_BY_TOKEN = 'The deletion was undone with the code that we mailed to you';

interface Notice {
  kind: 'deletion' | 'return';
  subject: string;
  paragraphs: string[];
  token?: string;
}

const DAY_MS = 24 * 60 * 60_000;

const day = (moment: Date): string => moment.toISOString().slice(0, 10);

const farewell = (dueAt: Date, graceDays: number, token: string): Notice => ({
  kind: 'deletion',
  subject: 'Your account will be deleted',
  paragraphs: [
    `As you asked, your account and your personal data will be erased on ${day(dueAt)}, in ${counted(graceDays, 'day')}.`,
    'If you change your mind, sign in before that day: then everything stays as it is.',
    'If this was not you, undo it with the code below, and change your password.',
  ],
  token,
});

/** The day names the deletion: asked for twice, it is said once; after a return it is said again. */
async function mail(
  tx: Tx,
  userId: string,
  { email, firstName }: DoomedAccount,
  dueAt: Date,
  { kind, subject, paragraphs, token }: Notice,
): Promise<void> {
  const code = token === undefined ? {} : { code: token };
  await enqueueMail(tx, {
    reference: `user:${userId}:${kind}:${dueAt.toISOString()}`,
    to: email,
    ...(token !== undefined && { token }),
    ...letter({ subject, greeting: `Hello ${firstName},`, paragraphs, ...code }),
  });
}

const invalidToken = (): Error => refusal('INVALID_TOKEN', 'This token is not valid.');
