import { deletionDueAt } from '../../../db/identity/user/user.reads';
import {
  accountDeletionProcess,
  cancelDeletion as cancelUpdate,
} from '../../../workflows/identity/account-deletion/account-deletion.contract';
import type { Context } from '../../http/handler-context';

/**
 * Cancels the deletion of an account whose owner signed in. Call it once the session is open: a deletion requested at the
 * same time then either ends that session or is found here. Refuses with INVALID_CREDENTIALS if the account is erased.
 */
export async function cancelDeletion({ db, processes, request }: Context, userId: string): Promise<void> {
  if ((await deletionDueAt(db, userId)) === null) return;
  await processes.open(
    accountDeletionProcess,
    { userId },
    cancelUpdate,
    {},
    { updateId: request.idempotencyId },
  );
}
