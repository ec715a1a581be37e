import { z } from 'zod';
import type { Account } from '../../db/identity/user/account.reads';
import { PAYOUT_METHODS, ROLES, USER_STATUSES } from '../../workflows/identity/user/user.rules';
import { KYC_LEVELS, KYC_STATUSES } from '../../workflows/kyc/kyc.rules';
import { ProfileView } from './profile/profile.view';

/** An account as its owner sees it. */
export const AccountView = z
  .object({
    id: z.uuid(),
    email: z.email().meta({ example: 'buyer@example.com' }),
    phone: z.string().nullable().meta({ example: '+4930901820' }),
    status: z.enum(USER_STATUSES).meta({ example: 'ACTIVE' }),
    region: z.enum(['EU', 'US', 'APAC']).describe('The sales region that the account belongs to.'),
    profile: ProfileView.describe('Names and what else the user says about themselves.'),
    roles: z.array(z.enum(ROLES)).describe('Every role of the account.'),
    kyc: z
      .object({
        status: z.enum(KYC_STATUSES),
        level: z.enum(KYC_LEVELS).describe('The level to which the identity is verified.'),
      })
      .describe('The verification of the identity; null if it never began.'),
    partner: z
      .object({
        id: z.uuid(),
        referralCode: z.string().meta({ example: 'ADA7KM2P' }),
        status: z.enum(['ACTIVE', 'SUSPENDED', 'TERMINATED']),
      })
      .nullable()
      .describe('The place in the partner programme; null if the user takes no part.'),
    security: z
      .object({
        twoFactorEnabled: z.boolean().describe('True if signing in asks for a second factor.'),
        twoFactorMethod: z
          .enum(['TOTP', 'SMS', 'EMAIL'])
          .nullable()
          .describe('The second factor; null without one.'),
      })
      .describe('How the account is protected.'),
    payoutDetails: z
      .object({
        method: z.enum(PAYOUT_METHODS).describe('The means by which it is paid or done.'),
        maskedDetails: z.string().meta({ description: 'The last characters only.', example: '•••• 3000' }),
      })
      .nullable()
      .describe('Where money is sent to; null if never said.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

/** The account as JSON. Throws if a value is not one that AccountView allows. */
export const accountView = (account: Account) => {
  const { payoutMethod, payoutMasked, twoFactorMethod, kycStatus, kycLevel, createdAt, ...rest } = account;
  return AccountView.parse({
    ...rest,
    kyc: { status: kycStatus, level: kycLevel },
    security: { twoFactorEnabled: twoFactorMethod !== null, twoFactorMethod },
    payoutDetails: payoutMethod && { method: payoutMethod, maskedDetails: payoutMasked },
    createdAt: createdAt.toISOString(),
  });
};
