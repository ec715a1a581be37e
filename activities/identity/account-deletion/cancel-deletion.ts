import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import {
  clearDeletionDue,
  lockAccountToDelete,
  type AccountToDelete,
} from '../../../db/identity/account-deletion/deletion.transitions';
import { isUsedBy, mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { supersedeTokens, useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { DeletionUndo } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import {
  deletionCancelledLetter,
  type DeletionCancelledBy,
} from '../../../workflows/identity/account-deletion/account-deletion.letters';

/** Cancels the deletion of a user who signed in again. Refuses with INVALID_CREDENTIALS if the account is erased. */
export async function unscheduleDeletion(db: Db, userId: string, at: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await lockAccountToDelete(tx, userId);
    if (!account || account.erasedAt) throw refusal('INVALID_CREDENTIALS');
    await cancelDeletion(tx, userId, account, at, 'SIGNED_IN');
  });
}

/** Cancels the deletion with the mailed token and uses it up. Refuses with INVALID_TOKEN and TOKEN_EXPIRED. */
export async function undoDeletion(
  db: Db,
  { userId, tokenId, useId, at }: DeletionUndo & { userId: string; at: Date },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await lockAccountToDelete(tx, userId);
    const token = await mailedToken(tx, tokenId);
    if (!account || account.erasedAt || token?.userId !== userId || token.superseded) throw invalidToken();
    if (isUsedBy(token, useId)) return; // A retry of a use that succeeded.
    if (token.usedAt !== null) throw invalidToken();
    if (!(await useToken(tx, tokenId, at, useId))) throw refusal('TOKEN_EXPIRED', 'This token has expired.');
    await cancelDeletion(tx, userId, account, at, 'UNDONE');
  });
}

/** Cancels a deletion, if one is scheduled, with the token that undoes it, and mails the owner. */
async function cancelDeletion(
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
    reference: `user:${userId}:return:${deletionDueAt.toISOString()}`,
    to: email,
    ...letter(deletionCancelledLetter(firstName, cancelledBy)),
  });
}

const invalidToken = (): Error => refusal('INVALID_TOKEN');
