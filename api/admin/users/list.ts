import { z } from 'zod';
import { listUsers } from '../../../db/identity/user-administration/user-list.reads';
import { endpoint } from '../../http/endpoint';
import { isoDate, periodEnd, text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging, SortOrderField, windowOf } from '../../http/answer/paging';
import { AdminUser, adminUserView } from './user.view';
import { Role, UserStatusField } from '../../users/account.view';
import { KycStatusField } from '../../kyc/kyc-enums.view';

export const listUsersEndpoint = endpoint({
  id: 'listUsers',
  returns: 'One page of users',
  method: 'get',
  path: '/admin/users',
  summary: 'List users',
  description: 'Newest first unless sorted. `dateFrom` and `dateTo` are of registration, both inclusive.',
  tag: 'Administration: users',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...UserStatusField.options, 'ALL']).default('ALL'),
    role: Role.optional().describe('Only users with this role.'),
    kycStatus: KycStatusField.optional().describe('Only users whose verification stands here.'),
    search: text({ max: 100 })
      .optional()
      .meta({ description: 'Part of the email address, the name or the phone number.' }),
    dateFrom: isoDate().optional(),
    dateTo: periodEnd().optional(),
    sortBy: z.enum(['createdAt', 'email', 'status', 'lastLoginAt']).default('createdAt'),
    sortOrder: SortOrderField.default('desc'),
  }),
  success: 200,
  paginated: true,
  data: z.object({ users: z.array(AdminUser).describe('One page of users.') }),
  errors: {},

  async handle({ query }, { db, reply }) {
    const { page, pageSize, status, role, kycStatus, search, dateFrom, dateTo, sortBy, sortOrder } = query;
    const found = await listUsers(
      db,
      {
        status: status === 'ALL' ? undefined : status,
        role,
        kycStatus,
        search,
        from: dateFrom === undefined ? undefined : new Date(dateFrom),
        to: dateTo === undefined ? undefined : new Date(dateTo),
      },
      { sortBy, sortOrder, ...windowOf({ page, pageSize }) },
    );
    reply.page({ total: found.total, page, pageSize });
    return { users: found.users.map(adminUserView) };
  },
});
