import { z } from 'zod';
import { administeredPayouts, payoutTotals } from '../../../db/commerce/payout/administered-payout.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint, type Endpoint } from '../../http/endpoint';
import { Gate } from '../../http/limits/gate';
import { perMinute } from '../../http/limits/limits';
import type { PayoutDesk } from './desk';
import { payoutFilterOf, payoutQuery } from './payout-query';
import { adminPayoutView } from './payout.view';

/** Totals of a filter that few payouts fit read many. */
const gate = new Gate({ slots: 4, queueLength: 50, deadlineMs: 5_000 });

const Summary = z
  .object({
    pendingCount: z.int().describe('Those that wait for a decision.'),
    pendingAmount: z.number().describe('The sum of those that wait for a decision.'),
    processingCount: z.int().describe('Those that may be on their way.'),
    processingAmount: z.number().describe('The sum of those that may be on their way.'),
  })
  .meta({
    id: 'PayoutSummary',
    description: 'Of those that are PENDING and PROCESSING and fit the other conditions of the filter.',
  });

export const listPayoutsEndpoint = (desk: PayoutDesk): Endpoint => {
  const { kind, tag, noun, name, row } = desk;
  return endpoint({
    ...desk.list,
    summary: `List ${name === 'payouts' ? 'payouts of partners' : 'withdrawals from wallets'}`,
    description: `Each is a ${noun}, newest first. \`dateFrom\` and \`dateTo\` are of the request, both inclusive. A person sends those with \`needsTransfer\` from our bank account and then completes them.`,
    tag,
    auth: 'admin',
    limit: perMinute(200),

    query: z.object({ ...paging(100), ...payoutQuery }),
    success: 200,
    paginated: true,
    data: z.object({
      [name]: z
        .array(row)
        .describe(name === 'payouts' ? 'Payouts, newest first.' : 'One page of withdrawals.'),
      summary: Summary.describe('The sums of those that wait or are under way.'),
    }),
    errors: {},

    async handle({ query }, { db, reply, request }) {
      const { page, pageSize } = query;
      const filter = payoutFilterOf(kind, query);
      const [totals, found] = await gate.through(
        () =>
          Promise.all([
            payoutTotals(db, filter),
            administeredPayouts(db, filter, windowOf({ page, pageSize })),
          ]),
        request.clientGone,
      );
      reply.page({ total: totals.total, page, pageSize });
      const major = (minor: number): number => figureInMajor(minor, PLATFORM_CURRENCY);
      return {
        [name]: found.map(adminPayoutView),
        summary: {
          pendingCount: totals.pendingCount,
          pendingAmount: major(totals.pendingMinor),
          processingCount: totals.processingCount,
          processingAmount: major(totals.processingMinor),
        },
      };
    },
  });
};
