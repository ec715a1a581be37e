import { z } from 'zod';
import {
  commissionTotals,
  listedCommissions,
} from '../../../db/partners/commission-list/commission-list.reads';
import { MOST_COUNTED } from '../../../db/partners/most-counted';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { paging, SortOrderField, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { Gate } from '../../http/limits/gate';
import { perMinute } from '../../http/limits/limits';
import { Commission, commissionView } from '../../mlm/commissions/commission.view';
import { commissionFilterOf, commissionQuery } from '../../mlm/commissions/commission-query';

/** Totals of a filter that few commissions fit read many. */
const gate = new Gate({ slots: 4, queueLength: 50, deadlineMs: 5_000 });

const Summary = z
  .object({
    totalPending: z.number().meta({ description: 'With what is held.' }),
    totalApproved: z.number().meta({ description: 'Available, and not paid out yet.' }),
    totalPaid: z.number().meta({ description: 'Paid out.' }),
    totalReversed: z.number().meta({ description: 'What was reversed as a whole.' }),
    isComplete: z.boolean().meta({
      description: `False if more than ${MOST_COUNTED} commissions fit; the sums and pages are then those of the newest ${MOST_COUNTED}.`,
    }),
  })
  .meta({
    id: 'AdminCommissionSummary',
    description: 'Net amounts of all commissions that fit the filter, less what refunds took back.',
  });

export const listAllCommissions = endpoint({
  id: 'listAllCommissions',
  returns: 'One page of commissions, and what they come to',
  method: 'get',
  path: '/admin/commissions',
  summary: 'List the commissions of all partners',
  description: `Newest first unless sorted; \`amount\` sorts by net amount. \`dateFrom\` and \`dateTo\` are of the commission, both inclusive. Totals and pages end at ${MOST_COUNTED} commissions; narrow the filter for more.`,
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    ...commissionQuery,
    sortBy: z.enum(['createdAt', 'amount', 'status']).default('createdAt'),
    sortOrder: SortOrderField.default('desc'),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    commissions: z.array(Commission).describe('One page of commissions.'),
    summary: Summary.describe('The sums of the commissions that fit the filter.'),
  }),
  errors: {},

  async handle({ query }, { db, reply, request }) {
    const { page, pageSize, sortBy, sortOrder } = query;
    const filter = commissionFilterOf(query);
    const list = { sortBy, sortOrder, ...windowOf({ page, pageSize }) };
    const [totals, found] = await gate.through(
      () => Promise.all([commissionTotals(db, filter), listedCommissions(db, filter, list)]),
      request.clientGone,
    );
    reply.page({ total: totals.total, page, pageSize });
    const major = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);
    return {
      commissions: found.map(commissionView),
      summary: {
        totalPending: major(totals.pendingMinor),
        totalApproved: major(totals.approvedMinor),
        totalPaid: major(totals.paidMinor),
        totalReversed: major(totals.reversedMinor),
        isComplete: totals.isComplete,
      },
    };
  },
});
