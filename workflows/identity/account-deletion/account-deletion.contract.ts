import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';

export interface AccountDeletionInput {
  userId: string;
}

/** CANCELLED: its owner came back. REFUSED: nothing was asked for that could be granted. */
export type AccountDeletionResult = 'ERASED' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** Somebody who wants to be forgotten, from the wish until nothing personal is left. After a return they may ask again. */
export const accountDeletionProcess = defineProcess<AccountDeletionInput, AccountDeletionResult>({
  type: 'accountDeletion',
  queue: 'interactive',
  area: 'identity',
  id: ({ userId }) => `account-deletion:${userId}`,
  entityId: ({ userId }) => userId,
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Deletion of the account ${userId}`,
  repeatable: true,
});

/** When the account will be erased (ISO 8601); asked for again, it stays at that. */
export interface DueDeletion {
  dueAt: string;
}

/** Where the deletion is asked for; left out in what was asked before sessions were named. */
export interface DeletionRequest {
  sessionId?: string;
}

type Nothing = Record<string, never>;

/** Asks for the deletion, from a session that is to live still. Refused: UNAUTHORIZED, FORBIDDEN for the last SUPER_ADMIN, VALIDATION_ERROR while something is open. */
export const requestDeletion = defineUpdate<DueDeletion, [DeletionRequest]>('requestDeletion');

/** Its owner is back: the account stays. Refused with INVALID_CREDENTIALS when it is erased already. */
export const cancelDeletion = defineUpdate<null, [Nothing]>('cancelDeletion');

/** A mailed token that a request presents; `useId` is left out in what was asked before such requests were named. */
export interface DeletionUndo {
  tokenId: string;
  useId?: string;
}

/** The token of the mail about the deletion was presented: the account stays. Refused: INVALID_TOKEN, TOKEN_EXPIRED. */
export const undoDeletion = defineUpdate<null, [DeletionUndo]>('undoDeletion');

/** `at` is the process's time, ISO 8601. */
export interface AccountDeletionActivities {
  /** Sets the day, ends all sessions and tells the owner, in one transaction. Done before: what was answered then. */
  scheduleDeletion: (
    command: AccountDeletionInput & DeletionRequest & { at: string },
  ) => Promise<DueDeletion>;
  /** Takes the day back. Not asked for: nothing. */
  unscheduleDeletion: (wish: AccountDeletionInput & { at: string }) => Promise<void>;
  /** The same by the token of that mail, which is used up by it. Done before by the same request: nothing. */
  undoDeletion: (command: AccountDeletionInput & DeletionUndo & { at: string }) => Promise<void>;
  /** When the account is to be erased; null when it is not. */
  dueDeletion: (account: AccountDeletionInput) => Promise<DueDeletion | null>;
  /**
   * Erases what is personal, in one transaction. WAITING: money or orders are still open, so not yet. KEPT: it is not
   * due (any more). Done before: ERASED.
   */
  eraseAccount: (account: AccountDeletionInput & { at: string }) => Promise<'ERASED' | 'WAITING' | 'KEPT'>;
}
