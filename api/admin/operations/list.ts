import { z } from 'zod';
import { latestInvariantRun } from '../../../db/administration/operations/invariant-run.reads';
import { parkedProcesses } from '../../../db/administration/operations/parking.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging } from '../../http/answer/paging';
import { text, uuid } from '../../http/request/fields';
import { Operation, OperationState, operationView } from './operation.view';

const InvariantCheck = z
  .object({
    checkedAt: z.iso.datetime(),
    broken: z.array(z.object({ invariant: z.string(), entity: z.string(), detail: z.string() })),
  })
  .meta({
    id: 'InvariantCheck',
    description: 'The last check of the invariants; `broken` is empty when all of them hold.',
  });

export const listOperations = endpoint({
  method: 'get',
  path: '/admin/operations',
  summary: 'List processes that wait for a person',
  description:
    'Longest waiting first, with what each is about and what can be done; one that is being retried stays until the try has ended. Also the broken invariants of the last hourly check (null before the first check).',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    type: text({ min: 1, max: 100 }).optional().meta({ example: 'paymentRefund' }),
    state: OperationState.optional(),
    order: text({ min: 1, max: 50 }).optional().meta({ description: 'The id or the number of an order.' }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ operations: z.array(Operation), invariants: InvariantCheck.nullable() }),
  errors: {},

  async handle({ query: { page, pageSize, type, state, order } }, { db, reply }) {
    const orderId = uuid().safeParse(order);
    const filter = {
      type: type ?? null,
      state: state ?? null,
      orderId: orderId.success ? orderId.data : null,
      orderNumber: order === undefined || orderId.success ? null : order.toUpperCase(),
    };
    const found = await parkedProcesses(db, filter, { limit: pageSize, offset: (page - 1) * pageSize });
    reply.page({ total: found.total, page, pageSize });
    const check = await latestInvariantRun(db);
    return {
      operations: found.processes.map(operationView),
      invariants: check && { checkedAt: check.checkedAt.toISOString(), broken: check.broken },
    };
  },
});
