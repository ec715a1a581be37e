import { z } from 'zod';
import { earnedPeriods } from '../../../db/partners/earnings/earnings.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { historyPeriods } from '../../../workflows/partners/statement/history-period.rules';
import { GranularityField } from '../../http/request/fields';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { digits } from '../../http/request/fields';
import { ownPartner } from '../own-partner';
import { sumsGate } from './sums-gate';

const MOST_PERIODS = 100;

const CommissionHistory = z
  .object({
    currency: z.string(),
    history: z
      .array(
        z.object({
          period: z.string().meta({
            example: '2026-11',
            description: 'In UTC: a day, an ISO 8601 week such as 2026-W48, or a month.',
          }),
          earned: z
            .number()
            .meta({ description: 'Commissions of the period, with what administrators added.' }),
          reversed: z.number().meta({ description: 'Taken back of commissions in the period.' }),
          paid: z.number().meta({ description: 'Payouts that were completed in the period.' }),
        }),
      )
      .describe('Every period of the time, the latest first.'),
  })
  .meta({ id: 'CommissionHistory' });

export const showCommissionHistory = endpoint({
  id: 'getCommissionHistory',
  returns: 'The sums by period',
  method: 'get',
  path: '/mlm/commissions/history',
  summary: 'Show your commissions by day, week or month',
  description: 'The latest first, every period of the time, also those without commissions.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    granularity: GranularityField.default('month').meta({
      description: 'The length of a period; a week is an ISO week.',
    }),
    periods: digits({ min: 1, max: MOST_PERIODS })
      .default(12)
      .meta({ description: 'The number of periods, with the current one.' }),
  }),
  success: 200,
  data: CommissionHistory,
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query: { granularity, periods: count } }, context) {
    await ownPartner(context);
    const periods = historyPeriods(granularity, new Date(), count);
    const from = periods.at(-1)?.startsAt ?? new Date();
    const { db, request, caller } = context;
    const owner = { userId: caller.id, currency: PLATFORM_CURRENCY };
    const found = await sumsGate.through(
      () => earnedPeriods(db, owner, { granularity, from }),
      request.clientGone,
    );
    const byPeriod = new Map(found.map((row) => [row.period, row]));
    const major = (minor = 0): number => figureInMajor(minor, PLATFORM_CURRENCY);
    return {
      currency: PLATFORM_CURRENCY,
      history: periods.map(({ period }) => {
        const row = byPeriod.get(period);
        return {
          period,
          earned: major(row?.earnedMinor),
          reversed: major(row?.reversedMinor),
          paid: major(row?.paidMinor),
        };
      }),
    };
  },
});
