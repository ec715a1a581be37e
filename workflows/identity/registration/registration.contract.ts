import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';

export interface RegistrationInput {
  userId: string;
}

export type RegistrationResult = 'VERIFIED' | 'REMOVED' | 'REFUSED' | 'ABANDONED';

/** A person on their way in, from the wish for an account until its e-mail address is verified or it is removed. */
export const registrationProcess = defineProcess<RegistrationInput, RegistrationResult>({
  type: 'registration',
  queue: 'interactive',
  area: 'identity',
  id: ({ userId }) => `registration:${userId}`,
  entityId: ({ userId }) => userId,
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Registration of user ${userId}`,
  repeatable: true,
});

/** An account that waits to be verified. Times are ISO 8601. */
export interface AwaitedVerification {
  createdAt: string;
  /** When it is removed unless it is verified. */
  removeAt: string;
}

/** GONE: there is no such account. VERIFIED: it is, or an administrator has decided on it. */
export type RegistrationStanding = AwaitedVerification | 'VERIFIED' | 'GONE';

/** The id that the token to mail gets; what the person typed lies in the kept wish of the process's user. */
export interface MailToken {
  tokenId: string;
}

/** A token that a request presents; `useId` is left out in what was asked before such requests were named. */
export interface TokenUse extends MailToken {
  useId?: string;
}

/** Opens the account. Refused: EMAIL_ALREADY_EXISTS, PHONE_ALREADY_EXISTS. */
export const register = defineUpdate<AwaitedVerification, [MailToken]>('register');
/** Somebody presents the token of this id. Refused: INVALID_TOKEN, TOKEN_EXPIRED, ALREADY_VERIFIED. */
export const verifyEmail = defineUpdate<{ verifiedAt: string }, [TokenUse]>('verifyEmail');
/** Mails a new token; the earlier ones are no longer good. Refused: ALREADY_VERIFIED, USER_NOT_FOUND. */
export const resendVerification = defineUpdate<null, [MailToken]>('resendVerification');

type Asked = RegistrationInput & MailToken & { at: string };

export interface RegistrationActivities {
  /** Account, token and mail in one transaction. Done before: the same answer. */
  register: (asked: Asked) => Promise<AwaitedVerification>;
  registrationStanding: (user: RegistrationInput) => Promise<RegistrationStanding>;
  /** Uses the token up. Done before by the same request: the same answer. */
  verifyEmail: (asked: Asked & TokenUse) => Promise<{ verifiedAt: string }>;
  resendVerification: (asked: Asked) => Promise<null>;
  /** Removes an account whose time has passed; one that was verified meanwhile stays. */
  removeUnverified: (user: RegistrationInput & { at: string }) => Promise<RegistrationStanding>;
}
