import { z } from 'zod';
import type { Account } from '../../db/identity/user/account.reads';
import { ProfileView } from './profile/profile.view';

/** An account as its owner sees it. */
export const AccountView = z
  .object({
    id: z.uuid(),
    email: z.email().meta({ example: 'buyer@example.com' }),
    phone: z.string().nullable().meta({ example: '+4930901820' }),
    status: z.enum(['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED']).meta({ example: 'ACTIVE' }),
    region: z.enum(['EU', 'US', 'APAC']),
    profile: ProfileView,
    roles: z.array(z.enum(['USER', 'ADMIN', 'SUPER_ADMIN'])),
    kyc: z.object({
      status: z.enum([
        'NOT_STARTED',
        'DOCUMENTS_PENDING',
        'SUBMITTED',
        'UNDER_REVIEW',
        'APPROVED',
        'REJECTED',
        'NEEDS_INFO',
      ]),
      level: z.enum(['NONE', 'BASIC', 'STANDARD', 'ENHANCED']),
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
        method: z.enum(['BANK_TRANSFER', 'CARD', 'EWALLET']),
        maskedDetails: z.string().meta({ description: 'The last characters only.', example: '•••• 3000' }),
      })
      .nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

/** The account as JSON has it; AccountView holds every value against what it may be. */
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
