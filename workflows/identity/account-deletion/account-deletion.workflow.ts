import { continueAsNew } from '@temporalio/workflow';
import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { kycReviewProcess, rowErased } from '../../kyc/review/kyc-review.contract';
import { DAY_MS } from '../../kit/values/durations.rules';
import * as contract from './account-deletion.contract';
import type { AccountDeletionInput, AccountDeletionResult } from './account-deletion.contract';

/** The interval at which a due account with money or open orders is checked again. */
const RECHECK_MS = DAY_MS;

/** `waits`: the account is due, but still holds money or has open orders. */
type Deletion = { dueAt: string; waits?: true } | 'NOT DUE' | 'ERASED';

/** The deletion of one account: a grace period in which it can be cancelled, then the erasure of personal data. */
export async function accountDeletion({
  userId,
  wasDue = false,
}: AccountDeletionInput): Promise<AccountDeletionResult> {
  const local = localTransactions<contract.AccountDeletionActivities>();
  const account = new Entity<Deletion>({
    id: userId,
    reading: 'read when the account is to be erased',
    read: async () => (await local.dueDeletion({ userId })) ?? 'NOT DUE',
    renew: () => continueAsNew<typeof accountDeletion>({ userId, wasDue }),
  });
  takeDecisions(account, userId);

  const erase = async (): Promise<Deletion> => {
    const erased = await local.eraseAccount({ userId, at: now() });
    if (erased === 'ERASED') {
      for (const review of await local.reviewsEndedByErasure({ userId }))
        await notify(kycReviewProcess, review, rowErased);
      return 'ERASED';
    }
    if (erased === 'KEPT') return (await local.dueDeletion({ userId })) ?? 'NOT DUE';
    return { dueAt: new Date(Date.now() + RECHECK_MS).toISOString(), waits: true };
  };
  return account.follow<AccountDeletionResult>({
    next(deletion): Next<AccountDeletionResult> {
      if (deletion === 'ERASED') return { ended: 'ERASED' };
      if (deletion === 'NOT DUE') return { ended: wasDue ? 'CANCELLED' : 'REFUSED' };
      wasDue = true;
      const { dueAt, waits } = deletion;
      return {
        words: waits
          ? 'Due, but the account still holds money or has open orders; checked again every day.'
          : `To be erased at ${dueAt}, unless the owner signs in or undoes it before.`,
        summary: waits ? 'the account holds money or has open orders' : `grace until ${dueAt}`,
        until: dueAt,
        whenDue: () => account.move('erase the account', erase),
      };
    },
    closing: {
      ERASED: 'The personal data is erased.',
      CANCELLED: 'The deletion was cancelled; the account stays.',
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
    durable.scheduleDeletion({ userId, sessionId, at: now() }),
  );
  account.decides(contract.cancelDeletion, async () => {
    await durable.unscheduleDeletion({ userId, at: now() });
    return null;
  });
  account.decides(contract.undoDeletion, async (undo) => {
    await durable.undoDeletion({ userId, ...undo, at: now() });
    return null;
  });
}
