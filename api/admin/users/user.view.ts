import { z } from 'zod';
import type { ListedUser } from '../../../db/identity/user-administration/user-list.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';

export const Role = z.enum(['USER', 'ADMIN', 'SUPER_ADMIN']);
export const UserStatusField = z.enum(['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED']);
export const KycStatusField = z.enum([
  'NOT_STARTED',
  'DOCUMENTS_PENDING',
  'SUBMITTED',
  'UNDER_REVIEW',
  'APPROVED',
  'REJECTED',
  'NEEDS_INFO',
]);
export const KycLevelField = z.enum(['NONE', 'BASIC', 'STANDARD', 'ENHANCED']);

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

/** Orders count whatever became of them; spent is what was paid and not given back. */
export const statsOf = ({
  ordersCount,
  totalSpentMinor,
}: Pick<ListedUser, 'ordersCount' | 'totalSpentMinor'>) => ({
  ordersCount,
  totalSpent: toMajor(totalSpentMinor, PLATFORM_CURRENCY),
  // Nobody can invest yet: participations come with issue 7, and are to be read here then.
  investmentsCount: 0,
  totalInvested: 0,
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
