import { z } from 'zod';
import { parkedProcesses } from '../../../db/administration/parking.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits';
import { paging } from '../../http/paging';

const Operation = z
  .object({
    workflowId: z.string(),
    type: z.string(),
    entityId: z.string(),
    since: z.iso.datetime(),
    reason: z.string(),
    lastError: z.string(),
  })
  .meta({ id: 'Operation', description: 'A process that waits for a person.' });

export const listOperations = endpoint({
  method: 'get',
  path: '/admin/operations',
  summary: 'List processes that wait for a person',
  description: 'Longest waiting first.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({ operations: z.array(Operation) }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const found = await parkedProcesses(db, { limit: pageSize, offset: (page - 1) * pageSize });
    reply.page({ total: found.total, page, pageSize });
    return {
      operations: found.processes.map((parked) => ({ ...parked, since: parked.since.toISOString() })),
    };
  },
});
