import { z } from 'zod';
import { TWO_FACTOR_METHODS } from '../../workflows/identity/second-factor/second-factor.rules';
import type { Account } from '../../db/identity/user/account.reads';
import { PAYOUT_METHODS, ROLES, USER_STATUSES } from '../../workflows/identity/user/user.rules';
import { accountEmail } from '../http/request/person-fields';
import { ProfileView } from './profile/profile.view';
import { KycLevelField, KycStatusField } from '../kyc/kyc-enums.view';
import { PartnerStatusField } from '../mlm/partner/partner.view';
import { RegionCode } from '../regions/region.view';

export const PayoutMethodField = z.enum(PAYOUT_METHODS).meta({
  id: 'PayoutMethod',
  description: 'The means by which money is sent to a user, or paid into the wallet.',
});
export const Role = z.enum(ROLES).meta({
  id: 'Role',
  description: 'Every account is a USER; administrators are ADMIN or SUPER_ADMIN, too.',
});
export const TwoFactorMethodField = z.enum(TWO_FACTOR_METHODS).meta({
  id: 'TwoFactorMethod',
  description: 'TOTP: an authenticator app; SMS and EMAIL: a code that is sent.',
});
export const UserStatusField = z
  .enum(USER_STATUSES)
  .meta({ id: 'UserStatus', description: 'Only ACTIVE accounts can sign in.' });

/** An account as its owner sees it. */
export const AccountView = z
  .object({
    id: z.uuid(),
    email: accountEmail().meta({ example: 'buyer@example.com' }),
    phone: z.string().nullable().meta({ example: '+4930901820' }),
    status: UserStatusField.meta({ example: 'ACTIVE' }),
    region: RegionCode.describe('The sales region that the account belongs to.'),
    profile: ProfileView.describe('Names and what else the user says about themselves.'),
    roles: z.array(Role).describe('Every role of the account.'),
    kyc: z
      .object({
        status: KycStatusField,
        level: KycLevelField,
      })
      .describe('The verification of the identity.'),
    partner: z
      .object({
        id: z.uuid(),
        referralCode: z.string().meta({ example: 'ADA7KM2P' }),
        status: PartnerStatusField,
      })
      .nullable()
      .describe('The place in the partner programme; null if the user takes no part.'),
    security: z
      .object({
        twoFactorEnabled: z.boolean().describe('True if signing in asks for a second factor.'),
        twoFactorMethod: TwoFactorMethodField.nullable().describe('The second factor; null without one.'),
      })
      .describe('How the account is protected.'),
    payoutDetails: z
      .object({
        method: PayoutMethodField,
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
