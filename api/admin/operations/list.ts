import { z } from 'zod';
import { latestInvariantRun } from '../../../db/administration/operations/invariant-run.reads';
import { parkedProcesses } from '../../../db/administration/operations/parking.reads';
import { waitingWork } from '../../../db/administration/operations/waiting/waiting-work.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { text, uuid } from '../../http/request/fields';
import { Operation, OperationState, operationView } from './operation.view';
import { WaitingWork, waitingWorkView } from './waiting-work.view';
import { idOf } from '../../http/request/ids/id-of';

/** The longest name of an entity: the id of a report, or the period of a pool. */
const LONGEST_ENTITY = 400;

const InvariantCheck = z
  .object({
    checkedAt: z.iso.datetime().describe('When the check was made.'),
    broken: z
      .array(
        z.object({
          invariant: z.string().describe('The name of the invariant.'),
          entity: z.string().describe('Where it was found.'),
          detail: z.string().describe('What was found.'),
        }),
      )
      .describe('Invariants that do not hold; empty when all of them do.'),
  })
  .meta({
    id: 'InvariantCheck',
    description: 'The last check of the invariants; `broken` is empty when all of them hold.',
  });

export const listOperations = endpoint({
  id: 'listOperations',
  returns: 'One page of processes that wait for a person, and how much of everything else does',
  method: 'get',
  path: '/admin/operations',
  summary: 'List processes that wait for a person',
  description:
    'Longest waiting first, with what each is about and what can be done; one that is being retried stays until the try has ended. Where more than 10,000 match, `total` may be less than their number. Also everything else that waits for a person, counted, whatever the filter, and the broken invariants of the last hourly check (null before the first check).',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    type: text({ min: 1, max: 100 })
      .optional()
      .meta({ description: 'Only those of this kind.', example: 'paymentRefund' }),
    state: OperationState.optional().describe('Only those in this state.'),
    order: text({ min: 1, max: 50 }).optional().meta({ description: 'The id or the number of an order.' }),
    userId: idOf('user').optional().meta({ description: 'Only what is the matter of this user.' }),
    entityId: text({ min: 1, max: LONGEST_ENTITY })
      .optional()
      .meta({ description: 'The id of what a process is about, such as a payout.' }),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    operations: z.array(Operation).describe('One page of processes, the longest waiting first.'),
    summary: z.array(WaitingWork).describe('Everything that waits for a person, by kind.'),
    invariants: InvariantCheck.nullable().describe(
      'The last check of the invariants; null if there was none yet.',
    ),
  }),
  errors: {},

  async handle({ query }, { db, reply, adminPaths, temporalUi }) {
    const { page, pageSize, type, state, order, userId, entityId } = query;
    const orderId = uuid().safeParse(order);
    const filter = {
      type: type ?? null,
      state: state ?? null,
      orderId: orderId.success ? orderId.data : null,
      orderNumber: order === undefined || orderId.success ? null : order.toUpperCase(),
      userId: userId ?? null,
      entityId: entityId ?? null,
    };
    const found = await parkedProcesses(db, filter, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    const [waiting, check] = await Promise.all([waitingWork(db), latestInvariantRun(db)]);
    return {
      operations: found.processes.map((process) => operationView(process, { adminPaths, temporalUi })),
      summary: waiting.map(waitingWorkView),
      invariants: check && { checkedAt: check.checkedAt.toISOString(), broken: check.broken },
    };
  },
});
