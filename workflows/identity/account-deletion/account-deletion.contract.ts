import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';

export interface AccountDeletionInput {
  userId: string;
  /** True in a later run, if a deletion was scheduled in an earlier one. */
  wasDue?: boolean;
}

/** CANCELLED: the owner kept the account. REFUSED: no deletion was scheduled. */
export type AccountDeletionResult = 'ERASED' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** The deletion of one account, from the request until its personal data is erased. Repeatable after a cancellation. */
export const accountDeletionProcess = defineProcess<AccountDeletionInput, AccountDeletionResult>({
  type: 'accountDeletion',
  queue: 'interactive',
  area: 'identity',
  id: ({ userId }) => `account-deletion:${userId}`,
  entityId: ({ userId }) => userId,
  resource: 'user',
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Deletion of the account ${userId}`,
  repeatable: true,
  parks: true,
  drives: {
    table: 'users',
    key: { userId: 'id' },
    openWhileSet: 'deletion_due_at',
    since: 'updated_at',
    rowIsFirst: true,
  },
});

/** The time when the account will be erased (ISO 8601). A repeated request does not move it. */
export interface DueDeletion {
  dueAt: string;
}

/** The session that requests the deletion. */
export interface DeletionRequest {
  sessionId: string;
}

type Nothing = Record<string, never>;

/** Requests the deletion, from a live session. Refused: UNAUTHORIZED, FORBIDDEN for the last SUPER_ADMIN, VALIDATION_ERROR while the account holds money or has open orders. */
export const requestDeletion = decision<DueDeletion, [DeletionRequest]>('requestDeletion', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** Cancels the deletion because the owner signed in. Refused: INVALID_CREDENTIALS if the account is erased. */
export const cancelDeletion = decision<null, [Nothing]>('cancelDeletion', {
  ifClosed: 'INVALID_CREDENTIALS',
});

/** A mailed token, and the request that presents it. */
export interface DeletionUndo {
  tokenId: string;
  useId: string;
}

/** Cancels the deletion with the token of the mail about it. Refused: INVALID_TOKEN, TOKEN_EXPIRED. */
export const undoDeletion = decision<null, [DeletionUndo]>('undoDeletion', { ifClosed: 'INVALID_TOKEN' });

/** `at` is the process's time, ISO 8601. */
export interface AccountDeletionActivities {
  /** Schedules the deletion, ends all sessions and mails the owner. Repeated, it gives the first answer. */
  scheduleDeletion: (
    command: AccountDeletionInput & DeletionRequest & { at: string },
  ) => Promise<DueDeletion>;
  /** Cancels the deletion; no-op if none is scheduled. */
  unscheduleDeletion: (command: AccountDeletionInput & { at: string }) => Promise<void>;
  /** Cancels the deletion and uses the token up; no-op if the same request did so before. */
  undoDeletion: (command: AccountDeletionInput & DeletionUndo & { at: string }) => Promise<void>;
  /** The time when the account will be erased; null: no deletion is scheduled. */
  dueDeletion: (account: AccountDeletionInput) => Promise<DueDeletion | null>;
  /**
   * Erases the personal data of a due account. WAITING: it holds money or has open orders. KEPT: it is not due. Erased
   * before: ERASED.
   */
  eraseAccount: (account: AccountDeletionInput & { at: string }) => Promise<'ERASED' | 'WAITING' | 'KEPT'>;
  /** The verifications whose review the erasure of the account has ended; their processes are told. */
  reviewsEndedByErasure: (account: AccountDeletionInput) => Promise<{ kycId: string }[]>;
}
