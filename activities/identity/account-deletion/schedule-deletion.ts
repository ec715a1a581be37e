import { v7 } from 'uuid';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import {
  lockAccountToDelete,
  setDeletionDue,
  type AccountToDelete,
} from '../../../db/identity/account-deletion/deletion.transitions';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { isSessionLive } from '../../../db/identity/session/session.reads';
import { endOtherSessions } from '../../../db/identity/session/session.writes';
import { openMatters } from '../../../db/identity/user/open-matters.reads';
import { lockStayingSuperAdmins } from '../../../db/identity/user-administration/super-admin.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal, refusal } from '../../../workflows/errors';
import type {
  DeletionRequest,
  DueDeletion,
} from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { deletionScheduledLetter } from '../../../workflows/identity/account-deletion/account-deletion.letters';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

interface SchedulingDeps {
  db: Db;
  policy: Pick<Policy, 'deletionGraceDays' | 'undoDays'>;
}

/**
 * Schedules the deletion, ends all sessions and mails the token that undoes it; if one is scheduled, returns its time.
 * Refuses with UNAUTHORIZED if the account or the session is gone, with FORBIDDEN the last SUPER_ADMIN, and with
 * VALIDATION_ERROR while the account holds money or has open orders or investments.
 */
export async function scheduleDeletion(
  { db, policy: { deletionGraceDays: graceDays, undoDays } }: SchedulingDeps,
  { userId, sessionId, at: moment }: DeletionRequest & { userId: string; at: string },
): Promise<DueDeletion> {
  const at = new Date(moment);
  return inTransaction(db, async (tx) => {
    const account = await lockAccountToDelete(tx, userId);
    if (!account || account.erasedAt) throw refusal('UNAUTHORIZED', 'This account no longer exists.');
    if (account.deletionDueAt) return { dueAt: account.deletionDueAt.toISOString() };
    if (!(await isSessionLive(tx, userId, sessionId)))
      throw refusal('UNAUTHORIZED', 'This session has ended. Sign in again.');
    await requireAnotherSuperAdmin(tx, userId, account);
    await requireNothingOpen(tx, userId, at);
    const dueAt = await setDeletionDue(tx, userId, { at, graceDays });
    await endOtherSessions(tx, userId, null, 'DELETION');
    const undo = { id: v7(), userId, purpose: 'UNDO_DELETION' as const, at };
    const token = await issueToken(tx, { ...undo, lifetimeMs: undoDays * DAY_MS });
    const { email: to, firstName } = account;
    // The reference names the moment: one deletion is mailed once, the next one again.
    const reference = `user:${userId}:deletion:${dueAt.toISOString()}`;
    const content = letter(deletionScheduledLetter({ firstName, dueAt, graceDays, token }));
    await enqueueMail(tx, { reference, to, token, ...content });
    return { dueAt: dueAt.toISOString() };
  });
}

/** All SUPER_ADMINs are locked, so two who leave at once see each other. */
async function requireAnotherSuperAdmin(tx: Tx, userId: string, { roles }: AccountToDelete): Promise<void> {
  if (!roles.includes('SUPER_ADMIN')) return;
  const staying = await lockStayingSuperAdmins(tx);
  if (!staying.some((id) => id !== userId))
    throw refusal('FORBIDDEN', 'The last SUPER_ADMIN cannot leave. Give the role to somebody else first.');
}

async function requireNothingOpen(tx: Tx, userId: string, at: Date): Promise<void> {
  const matters = await openMatters(tx, userId, { at, returnWindowDays: null });
  if (matters.length > 0)
    throw businessRefusal(
      'ACCOUNT_NOT_SETTLED',
      'The account can be deleted once it holds no money, and its orders and investments are concluded.',
      { account: matters },
    );
}
