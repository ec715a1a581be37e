import { z } from 'zod';
import type { Account } from '../../db/identity/user/account.reads';
import { PAYOUT_METHODS, ROLES, USER_STATUSES } from '../../workflows/identity/user/user.rules';
import { KYC_LEVELS, KYC_STATUSES } from '../../workflows/kyc/kyc.rules';
import { accountEmail } from '../http/request/person-fields';
import { ProfileView } from './profile/profile.view';

/** An account as its owner sees it. */
export const AccountView = z
  .object({
    id: z.uuid(),
    email: accountEmail().meta({ example: 'buyer@example.com' }),
    phone: z.string().nullable().meta({ example: '+4930901820' }),
    status: z.enum(USER_STATUSES).meta({ example: 'ACTIVE' }),
    region: z.enum(['EU', 'US', 'APAC']),
    profile: ProfileView,
    roles: z.array(z.enum(ROLES)),
    kyc: z.object({
      status: z.enum(KYC_STATUSES),
      level: z.enum(KYC_LEVELS),
    }),
    partner: z
      .object({
        id: z.uuid(),
        referralCode: z.string().meta({ example: 'ADA7KM2P' }),
        status: z.enum(['ACTIVE', 'SUSPENDED', 'TERMINATED']),
      })
      .nullable(),
    security: z.object({
      twoFactorEnabled: z.boolean(),
      twoFactorMethod: z.enum(['TOTP', 'SMS', 'EMAIL']).nullable(),
    }),
    payoutDetails: z
      .object({
        method: z.enum(PAYOUT_METHODS),
        maskedDetails: z.string().meta({ description: 'The last characters only.', example: '•••• 3000' }),
      })
      .nullable(),
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
