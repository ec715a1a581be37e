import { z } from 'zod';
import type { ListedUser } from '../../../db/identity/user-administration/user-list.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { KycLevelField, KycStatusField } from '../../kyc/kyc-enums.view';
import { UserStatusField } from '../../users/account.view';

export const AdminUser = z
  .object({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
    profile: z
      .object({
        firstName: z.string(),
        lastName: z.string(),
        avatarUrl: z.string().nullable().describe('The URL of the avatar; null without one.'),
      })
      .describe('Names and what else the user says about themselves.'),
    kyc: z
      .object({
        status: KycStatusField,
        level: KycLevelField,
      })
      .describe('The verification of the identity.'),
    roles: z.array(z.string()).describe('Every role of the account.'),
    isPartner: z.boolean().describe('True if the user takes part in the partner programme.'),
    stats: z
      .object({
        ordersCount: z.int().describe('Orders so far.'),
        totalSpent: z.number().describe('The sum of all paid orders, in USD.'),
        investmentsCount: z.int().describe('Investments so far.'),
        totalInvested: z.number().describe('The sum of all investments, in USD.'),
      })
      .describe('Figures since the account exists.'),
    lastLoginAt: z.iso.datetime().nullable().describe('When the user last signed in; null if never.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminUser' });

/** All orders and participations count, also cancelled ones; spent is what was paid, less refunds. */
export const statsOf = ({
  ordersCount,
  totalSpentMinor,
  investmentsCount,
  totalInvestedMinor,
}: Pick<ListedUser, 'ordersCount' | 'totalSpentMinor' | 'investmentsCount' | 'totalInvestedMinor'>) => ({
  ordersCount,
  totalSpent: toMajor(totalSpentMinor, PLATFORM_CURRENCY),
  investmentsCount,
  totalInvested: toMajor(totalInvestedMinor, PLATFORM_CURRENCY),
});

export const adminUserView = (user: ListedUser): z.output<typeof AdminUser> => ({
  id: user.id,
  email: user.email,
  phone: user.phone,
  status: user.status,
  profile: { firstName: user.firstName, lastName: user.lastName, avatarUrl: user.avatarUrl },
  kyc: { status: user.kycStatus, level: user.kycLevel },
  roles: user.roles,
  isPartner: user.isPartner,
  stats: statsOf(user),
  lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
  createdAt: user.createdAt.toISOString(),
});
