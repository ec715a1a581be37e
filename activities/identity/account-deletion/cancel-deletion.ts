import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import {
  clearDeletionDue,
  lockAccountToDelete,
  type AccountToDelete,
} from '../../../db/identity/account-deletion/deletion.transitions';
import { isUsedBy, mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { supersedeTokens, useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { DeletionUndo } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import {
  deletionCancelledLetter,
  type DeletionCancelledBy,
} from '../../../workflows/identity/account-deletion/account-deletion.letters';
import type { DbDeps } from '../../steps';

/** Cancels the deletion of a user who signed in again. Refuses with INVALID_CREDENTIALS if the account is erased. */
export async function cancelOnSignIn(
  { db }: DbDeps,
  { userId, at }: { userId: string; at: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await lockAccountToDelete(tx, userId);
    if (!account || account.erasedAt) throw refusal('INVALID_CREDENTIALS');
    await cancelScheduled(tx, userId, account, new Date(at), 'SIGNED_IN');
  });
}

/** Cancels the deletion with the mailed token and uses it up. Refuses with INVALID_TOKEN and TOKEN_EXPIRED. */
export async function cancelByToken(
  { db }: DbDeps,
  { userId, tokenId, useId, at: moment }: DeletionUndo & { userId: string; at: string },
): Promise<void> {
  const at = new Date(moment);
  await inTransaction(db, async (tx) => {
    const account = await lockAccountToDelete(tx, userId);
    const token = await mailedToken(tx, tokenId);
    if (!account || account.erasedAt || token?.userId !== userId || token.superseded)
      throw refusal('INVALID_TOKEN');
    if (isUsedBy(token, useId)) return; // A retry of a use that succeeded.
    if (token.usedAt !== null) throw refusal('INVALID_TOKEN');
    if (!(await useToken(tx, tokenId, at, useId))) throw refusal('TOKEN_EXPIRED', 'This token has expired.');
    await cancelScheduled(tx, userId, account, at, 'UNDONE');
  });
}

/** Cancels a scheduled deletion, revokes its undo token and mails the owner. No-op if none is scheduled. */
async function cancelScheduled(
  tx: Tx,
  userId: string,
  { deletionDueAt, email, firstName }: AccountToDelete,
  at: Date,
  cancelledBy: DeletionCancelledBy,
): Promise<void> {
  if (!deletionDueAt) return;
  await clearDeletionDue(tx, userId, at);
  await supersedeTokens(tx, userId, 'UNDO_DELETION', at);
  await enqueueMail(tx, {
    reference: `user:${userId}:deletion-cancelled:${deletionDueAt.toISOString()}`,
    to: email,
    ...letter(deletionCancelledLetter(firstName, cancelledBy)),
  });
}
