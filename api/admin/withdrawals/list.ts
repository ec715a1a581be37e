import { z } from 'zod';
import { listWithdrawals } from '../../../db/investment/withdrawal/administered-withdrawal.reads';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { flag } from '../../http/request/fields';
import { AdminWithdrawal, WithdrawalStatusField, withdrawalView } from './withdrawal.view';

export const listWithdrawalsEndpoint = endpoint({
  id: 'listWithdrawals',
  returns: 'One page of withdrawals',
  method: 'get',
  path: '/admin/withdrawals',
  summary: 'List withdrawals of participations',
  description:
    'Newest first. A person sends those with `needsTransfer` from our bank account and then settles them.',
  tag: 'Administration: withdrawals',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    status: z.enum([...WithdrawalStatusField.options, 'ALL']).default('ALL'),
    needsTransfer: flag()
      .optional()
      .meta({ description: 'Whether a person has to send it. Left out: whether or not.', example: true }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ withdrawals: z.array(AdminWithdrawal).describe('One page of withdrawals.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, needsTransfer = null } }, { db, reply }) {
    const found = await listWithdrawals(
      db,
      { status: status === 'ALL' ? null : status, needsTransfer },
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { withdrawals: found.withdrawals.map(withdrawalView) };
  },
});
