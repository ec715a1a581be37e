import { deletionDueAt } from '../../../db/identity/user/user.reads';
import {
  accountDeletionProcess,
  cancelDeletion as cancelUpdate,
} from '../../../workflows/identity/account-deletion/account-deletion.contract';
import type { Context } from '../../http/endpoint';

/**
 * Whoever signs in wants to keep the account. Ask once their session is open: then a deletion that is asked for at the
 * same moment either ends that session or is found here. Refuses with INVALID_CREDENTIALS when it is erased already.
 */
export async function cancelDeletion({ db, processes, request }: Context, userId: string): Promise<void> {
  if ((await deletionDueAt(db, userId)) === null) return;
  await processes.open(
    accountDeletionProcess,
    { userId },
    cancelUpdate,
    {},
    { updateId: request.idempotencyId, ifClosed: 'INVALID_CREDENTIALS' },
  );
}
