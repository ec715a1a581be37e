/** The statuses of an account. SUSPENDED ends by itself or by a decision, BANNED by a decision only. */
export const USER_STATUSES = ['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** Administrators' decisions on the status of an account. */
export type StatusDecisionName = 'SUSPEND' | 'ACTIVATE' | 'BAN' | 'UNBAN';

/** The roles of accounts, from the weakest. */
export const ROLES = ['USER', 'ADMIN', 'SUPER_ADMIN'] as const;
export type Role = (typeof ROLES)[number];

export const isAdministrator = (roles: readonly string[]): boolean =>
  roles.includes('ADMIN') || roles.includes('SUPER_ADMIN');

/** The sales regions. An email address can have an account in each. */
export const REGIONS = ['EU', 'US', 'APAC'] as const;
export type Region = (typeof REGIONS)[number];

/** The kinds of account that payouts go to. */
export const PAYOUT_METHODS = ['BANK_TRANSFER', 'CARD', 'EWALLET'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];
