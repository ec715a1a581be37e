import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';

export interface SuspensionInput {
  userId: string;
}

/** OVER: the user is no longer suspended, or never was. */
export type SuspensionResult = 'OVER' | 'ABANDONED';

/** The status of one user: carries out administrators' decisions on it, and ends a suspension when its time has passed. */
export const suspensionProcess = defineProcess<SuspensionInput, SuspensionResult>({
  type: 'suspension',
  queue: 'interactive',
  area: 'identity',
  id: ({ userId }) => `suspension:${userId}`,
  entityId: ({ userId }) => userId,
  resource: 'user',
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Suspension of user ${userId}`,
  repeatable: true,
  parks: true,
  drives: {
    table: 'users',
    key: { userId: 'id' },
    column: 'status',
    // One without an end waits for nothing.
    openWhileSet: 'suspended_until',
    settled: ['PENDING_VERIFICATION', 'ACTIVE', 'BANNED'],
    since: 'suspended_at',
    settledSince: 'updated_at',
    rowIsFirst: true,
  },
});

/** An administrator's decision. The note holds the reason, the administrator and their address. */
export interface StatusDecision {
  /** Identifies the decision too: repeated, it gives the first answer. */
  noteId: string;
  /** True if the user is to be informed by mail. */
  notifyUser: boolean;
}

export interface SuspendUser extends StatusDecision {
  /** Whole days; null: until an administrator ends it. */
  days: number | null;
}

export interface StatusChanged {
  /** ISO 8601. */
  at: string;
  /** The time when a suspension ends by itself, ISO 8601; null: it does not. */
  until: string | null;
  sessionsRevoked: number;
}

/** Refused: USER_NOT_FOUND, CANNOT_SUSPEND_ADMIN, ALREADY_SUSPENDED; VALIDATION_ERROR unless the account is ACTIVE. */
export const suspendUser = decision<StatusChanged, [SuspendUser]>('suspend', {
  ifClosed: 'ALREADY_SUSPENDED',
});
/** Refused: USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN, NOT_SUSPENDED. */
export const activateUser = decision<StatusChanged, [StatusDecision]>('activate', {
  ifClosed: 'NOT_SUSPENDED',
});
/** Refused: USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN; VALIDATION_ERROR if it is BANNED or was never verified. */
export const banUser = decision<StatusChanged, [StatusDecision]>('ban', { ifClosed: 'VALIDATION_ERROR' });
/** Refused: USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN; VALIDATION_ERROR unless it is BANNED and not erased. */
export const unbanUser = decision<StatusChanged, [StatusDecision]>('unban', { ifClosed: 'VALIDATION_ERROR' });

/** The suspension of a user; `until` is ISO 8601, or null: until an administrator decides. */
export interface Suspended {
  suspended: boolean;
  until: string | null;
}

type At<Decision> = Decision & { userId: string; at: string };

export interface SuspensionActivities {
  suspendUser: (decision: At<SuspendUser>) => Promise<StatusChanged>;
  activateUser: (decision: At<StatusDecision>) => Promise<StatusChanged>;
  banUser: (decision: At<StatusDecision>) => Promise<StatusChanged>;
  unbanUser: (decision: At<StatusDecision>) => Promise<StatusChanged>;
  readSuspension: (user: SuspensionInput) => Promise<Suspended>;
  /** Makes the user ACTIVE if the suspension has run out; one prolonged or ended meanwhile stays as it is. */
  endSuspension: (user: { userId: string; at: string }) => Promise<void>;
}
