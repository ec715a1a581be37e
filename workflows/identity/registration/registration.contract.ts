import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';

export interface RegistrationInput {
  userId: string;
}

export type RegistrationResult = 'VERIFIED' | 'REMOVED' | 'REFUSED' | 'ABANDONED';

/** A registration, from the request for an account until its e-mail address is verified or it is removed. */
export const registrationProcess = defineProcess<RegistrationInput, RegistrationResult>({
  type: 'registration',
  queue: 'interactive',
  area: 'identity',
  id: ({ userId }) => `registration:${userId}`,
  entityId: ({ userId }) => userId,
  resource: 'user',
  userId: ({ userId }) => userId,
  summary: ({ userId }) => `Registration of user ${userId}`,
  repeatable: true,
  parks: true,
  drives: {
    table: 'users',
    key: { userId: 'id' },
    column: 'status',
    open: ['PENDING_VERIFICATION'],
    since: 'created_at',
    settledOnceSet: 'email_verified_at',
    settledSince: 'updated_at',
  },
});

/** An account that waits to be verified. Times are ISO 8601. */
export interface AwaitedVerification {
  createdAt: string;
  /** When the account is removed unless it is verified. */
  removeAt: string;
}

/** GONE: there is no such account. VERIFIED: the address is verified, or an administrator has changed its status. */
export type RegistrationState = AwaitedVerification | 'VERIFIED' | 'GONE';

/** The id of the token to mail. The person's data is stored as the pending registration of the process's user. */
export interface MailToken {
  tokenId: string;
}

/** A token, and the request that presents it. */
export interface TokenUse extends MailToken {
  useId: string;
}

/** Opens the account. Refused: EMAIL_ALREADY_EXISTS, PHONE_ALREADY_EXISTS. */
export const register = decision<AwaitedVerification, [MailToken]>('register', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});
/** Verifies the address with the token of this id. Refused: INVALID_TOKEN, TOKEN_EXPIRED, ALREADY_VERIFIED. */
export const verifyEmail = decision<{ verifiedAt: string }, [TokenUse]>('verifyEmail', {
  ifClosed: 'ALREADY_VERIFIED',
});
/** Mails a new token, which replaces the earlier ones. Refused: ALREADY_VERIFIED, USER_NOT_FOUND. */
export const resendVerification = decision<null, [MailToken]>('resendVerification', {
  ifClosed: 'ALREADY_VERIFIED',
});

/** `at`: the process's time, ISO 8601. */
export type RegisterCommand = RegistrationInput & MailToken & { at: string };
export type VerifyEmailCommand = RegisterCommand & TokenUse;

export interface RegistrationActivities {
  /** Adds account, token and mail in one transaction. A repeat returns the same. */
  register: (command: RegisterCommand) => Promise<AwaitedVerification>;
  registrationState: (user: RegistrationInput) => Promise<RegistrationState>;
  /** Uses the token up. A repeat by the same request returns the same. */
  verifyEmail: (command: VerifyEmailCommand) => Promise<{ verifiedAt: string }>;
  resendVerification: (command: RegisterCommand) => Promise<null>;
  /** Removes an account whose time is over; one that was verified in the meantime stays. */
  removeUnverified: (user: RegistrationInput & { at: string }) => Promise<RegistrationState>;
}
