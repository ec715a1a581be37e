import { defineProcess } from '../../kit/process';

export interface PasswordResetInput {
  /** The stored request, which names an account that may or may not exist. */
  resetRequestId: string;
}

/** MAILED: there is such an account. NOBODY: there is no account to mail to. */
export type PasswordResetResult = 'MAILED' | 'NOBODY' | 'ABANDONED';

/**
 * A request for a new password. The account is looked up here and not while the caller waits, so that the time of the
 * answer does not reveal whether there is one.
 */
export const passwordResetProcess = defineProcess<PasswordResetInput, PasswordResetResult>({
  type: 'passwordReset',
  queue: 'interactive',
  area: 'identity',
  id: ({ resetRequestId }) => `password-reset:${resetRequestId}`,
  entityId: ({ resetRequestId }) => resetRequestId,
  summary: ({ resetRequestId }) => `Forgotten password ${resetRequestId}`,
  parks: true,
});

export interface PasswordResetActivities {
  /** Adds token and mail in one transaction, if there is an account. A repeat returns the same. */
  mailPasswordReset: (request: PasswordResetInput & { at: string }) => Promise<'MAILED' | 'NOBODY'>;
}
