import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';

export interface SuspensionInput {
  userId: string;
}

/** OVER: the user is not suspended any more, or never was. */
export type SuspensionResult = 'OVER' | 'ABANDONED';

/** Whether one person may act: every decision on it goes through here, and a suspension ends here when its time has passed. */
export const suspensionProcess = defineProcess<SuspensionInput, SuspensionResult>({
  type: 'suspension',
  queue: 'interactive',
  area: 'identity',
  id: ({ userId }) => `suspension:${userId}`,
  entityId: ({ userId }) => userId,
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Suspension of user ${userId}`,
  repeatable: true,
});

/** An administrator's decision. Why, and who decided from where, is in the kept note. */
export interface StatusDecision {
  /** Also names the decision: asked again, it is answered again. */
  noteId: string;
  /** Whether the person is told by mail. */
  notifyUser: boolean;
}

export interface SuspendUser extends StatusDecision {
  /** Whole days; null: until an administrator ends it. */
  days: number | null;
}

export interface StatusChanged {
  /** ISO 8601. */
  at: string;
  /** When a suspension ends by itself, ISO 8601; null: it does not. */
  until: string | null;
  sessionsRevoked: number;
}

/** Refused: USER_NOT_FOUND, CANNOT_SUSPEND_ADMIN, ALREADY_SUSPENDED; VALIDATION_ERROR unless the account is in use. */
export const suspendUser = defineUpdate<StatusChanged, [SuspendUser]>('suspend');
/** Refused: USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN, NOT_SUSPENDED. */
export const activateUser = defineUpdate<StatusChanged, [StatusDecision]>('activate');
/** Refused: USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN; VALIDATION_ERROR when it is banned, or never was in use. */
export const banUser = defineUpdate<StatusChanged, [StatusDecision]>('ban');
/** Refused: USER_NOT_FOUND, CANNOT_MODIFY_SUPER_ADMIN, FORBIDDEN; VALIDATION_ERROR unless it is banned, or when it was erased. */
export const unbanUser = defineUpdate<StatusChanged, [StatusDecision]>('unban');

/** Whether a user is suspended, and until when (ISO 8601; null: until somebody decides). */
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
  /** Lets the user act again if their suspension has run out; one that was prolonged or ended meanwhile stays as it is. */
  endSuspension: (user: { userId: string; at: string }) => Promise<void>;
}
