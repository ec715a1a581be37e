import { defineProcess } from '../../kit/process';

export interface PasswordResetInput {
  /** The kept wish, which names an account that may or may not exist. */
  wishId: string;
}

/** MAILED: there is such an account. NOBODY: there is none to mail to. */
export type PasswordResetResult = 'MAILED' | 'NOBODY' | 'ABANDONED';

/**
 * Somebody forgot a password. Whether there is an account is found out here and not while the caller waits, so that how
 * long the answer takes tells nothing.
 */
export const passwordResetProcess = defineProcess<PasswordResetInput, PasswordResetResult>({
  type: 'passwordReset',
  queue: 'interactive',
  area: 'identity',
  id: ({ wishId }) => `password-reset:${wishId}`,
  entityId: ({ wishId }) => wishId,
  summary: ({ wishId }) => `Forgotten password ${wishId}`,
});

export interface PasswordResetActivities {
  /** Token and mail in one transaction, if there is an account to mail to. Done before: the same answer. */
  mailPasswordReset: (wish: PasswordResetInput & { at: string }) => Promise<'MAILED' | 'NOBODY'>;
}
