import { z } from 'zod';
import type { ListedUser } from '../../../db/identity/user-administration/user-list.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { ROLES, USER_STATUSES } from '../../../workflows/identity/user/user.rules';
import { KYC_LEVELS, KYC_STATUSES } from '../../../workflows/kyc/kyc.rules';

export const Role = z.enum(ROLES);
export const UserStatusField = z.enum(USER_STATUSES);
export const KycStatusField = z.enum(KYC_STATUSES);
export const KycLevelField = z.enum(KYC_LEVELS);

export const AdminUser = z
  .object({
    id: z.uuid(),
    email: z.string(),
    phone: z.string().nullable(),
    status: UserStatusField,
    profile: z.object({ firstName: z.string(), lastName: z.string(), avatarUrl: z.string().nullable() }),
    kyc: z.object({ status: KycStatusField, level: KycLevelField }),
    roles: z.array(z.string()),
    isPartner: z.boolean(),
    stats: z.object({
      ordersCount: z.int(),
      totalSpent: z.number(),
      investmentsCount: z.int(),
      totalInvested: z.number(),
    }),
    lastLoginAt: z.iso.datetime().nullable(),
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
