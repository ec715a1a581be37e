import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import { refusal } from '../../errors';
import * as contract from './account-deletion.contract';
import type { AccountDeletionInput, AccountDeletionResult } from './account-deletion.contract';

/** How often an account with money or orders is looked at again once its day has come. */
const LOOK_AGAIN_MS = 86_400_000;

/** `waits`: its day has come, but money or orders are still open. */
type Deletion = { dueAt: string; waits?: true } | 'NOT DUE' | 'ERASED';

/** Somebody who wants to be forgotten: fourteen days to think again, and then nothing personal is left. */
export async function accountDeletion({ userId }: AccountDeletionInput): Promise<AccountDeletionResult> {
  const local = localTransactions<contract.AccountDeletionActivities>();
  const account = new Entity<Deletion>({
    id: userId,
    reading: 'read when the account is to be erased',
    read: async () => (await local.dueDeletion({ userId })) ?? 'NOT DUE',
  });
  takeDecisions(account, userId);

  const erase = async (): Promise<Deletion> => {
    const erased = await local.eraseAccount({ userId, at: now() });
    if (erased === 'ERASED') return 'ERASED';
    if (erased === 'KEPT') return (await local.dueDeletion({ userId })) ?? 'NOT DUE';
    return { dueAt: new Date(Date.now() + LOOK_AGAIN_MS).toISOString(), waits: true };
  };
  let wasDue = false;
  return account.follow<AccountDeletionResult>({
    next(deletion): Next<AccountDeletionResult> {
      if (deletion === 'ERASED') return { ended: 'ERASED' };
      if (deletion === 'NOT DUE') return { ended: wasDue ? 'CANCELLED' : 'REFUSED' };
      wasDue = true;
      const { dueAt, waits } = deletion;
      return {
        words: waits
          ? 'Due, but money or orders are still open; looked at again every day.'
          : `To be erased at ${dueAt}, unless the owner signs in or undoes it before.`,
        summary: waits ? 'money or orders are still open' : `grace until ${dueAt}`,
        until: dueAt,
        whenDue: () => account.move('erase the account', erase),
      };
    },
    closing: {
      ERASED: 'Nothing personal is left.',
      CANCELLED: 'The owner came back; the account stays.',
      REFUSED: 'Refused: the account stays.',
      ABANDONED: 'Given up by an operator; the account stays as the database has it.',
    },
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}

function takeDecisions(account: Entity<Deletion>, userId: string): void {
  const durable = durableTransactions<contract.AccountDeletionActivities>();
  account.decides(contract.requestDeletion, ({ sessionId }) =>
    durable.scheduleDeletion({ userId, ...(sessionId !== undefined && { sessionId }), at: now() }),
  );
  account.decides(contract.cancelDeletion, async () => {
    await durable.unscheduleDeletion({ userId, at: now() });
    return null;
  });
  const undone = new Set<string>();
  account.decides(contract.undoDeletion, async ({ tokenId, useId }) => {
    // Only requests that are not named need this: the database tells the others apart.
    if (useId === undefined && undone.has(tokenId)) throw refusal('INVALID_TOKEN', 'This token was used.');
    await durable.undoDeletion({ userId, tokenId, ...(useId !== undefined && { useId }), at: now() });
    undone.add(tokenId);
    return null;
  });
}
