import { z } from 'zod';
import { latestInvariantRun } from '../../../db/administration/operations/invariant-run.reads';
import { parkedProcesses } from '../../../db/administration/operations/parking.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging } from '../../http/answer/paging';

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
    'Longest waiting first, with the broken invariants of the last hourly check (null before the first check).',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object(paging(100)),
  success: 200,
  paginated: true,
  data: z.object({ operations: z.array(Operation), invariants: InvariantCheck.nullable() }),
  errors: {},

  async handle({ query: { page, pageSize } }, { db, reply }) {
    const found = await parkedProcesses(db, { limit: pageSize, offset: (page - 1) * pageSize });
    reply.page({ total: found.total, page, pageSize });
    const check = await latestInvariantRun(db);
    return {
      operations: found.processes.map((parked) => ({ ...parked, since: parked.since.toISOString() })),
      invariants: check && { checkedAt: check.checkedAt.toISOString(), broken: check.broken },
    };
  },
});
