import { z } from 'zod';
import { earnedMonths } from '../../../db/partners/earnings/earnings.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { digits } from '../../http/request/fields';
import { ownPartner } from '../own-partner';
import { sumsGate } from './sums-gate';

const MOST_MONTHS = 60;

const CommissionHistory = z
  .object({
    currency: z.string(),
    months: z.array(
      z.object({
        month: z.string().meta({ example: '2026-11', description: 'In UTC.' }),
        earned: z.number().meta({ description: 'Commissions of the month.' }),
        takenBack: z.number().meta({ description: 'By refunds; below zero.' }),
        adjusted: z.number().meta({ description: 'By administrators.' }),
        matured: z.number().meta({ description: 'What became available, less what was put on hold again.' }),
      }),
    ),
  })
  .meta({ id: 'CommissionHistory' });

export const showCommissionHistory = endpoint({
  method: 'get',
  path: '/mlm/commissions/history',
  summary: 'Show your commissions by month',
  description: 'The latest first, every month of the time, also those without commissions.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    months: digits({ min: 1, max: MOST_MONTHS })
      .default(12)
      .meta({ description: 'The number of months, with the current one.' }),
  }),
  success: 200,
  data: CommissionHistory,
  errors: { NOT_A_PARTNER: 403 },

  async handle({ query: { months } }, context) {
    await ownPartner(context);
    const now = new Date();
    const firstOf = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    const owner = { userId: context.caller.id, currency: PLATFORM_CURRENCY };
    const { db, request } = context;
    const found = await sumsGate.through(
      () => earnedMonths(db, owner, firstOf(months - 1)),
      request.clientGone,
    );
    const byMonth = new Map(found.map((row) => [row.month, row]));
    const major = (minor = 0): number => figureInMajor(minor, PLATFORM_CURRENCY);
    return {
      currency: PLATFORM_CURRENCY,
      months: Array.from({ length: months }, (_, back) => {
        const month = firstOf(back).toISOString().slice(0, 7);
        const row = byMonth.get(month);
        return {
          month,
          earned: major(row?.earnedMinor),
          takenBack: major(row?.takenBackMinor),
          adjusted: major(row?.adjustedMinor),
          matured: major(row?.maturedMinor),
        };
      }),
    };
  },
});
