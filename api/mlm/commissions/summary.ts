import { z } from 'zod';
import { commissionGroups, type CommissionGroup } from '../../../db/partners/earnings/earnings.reads';
import { figureInMajor, PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { COMMISSION_TYPES } from '../../../workflows/partners/commission/commission.rules';
import { commissionStates } from '../../../workflows/partners/commission/commission.states';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { CommissionStatusField, CommissionTypeField } from './commission.view';
import { sumsGate } from './sums-gate';

const sums = { count: z.int().describe('How many there are.'), amount: z.number() };

const CommissionSummary = z
  .object({
    pending: z.number().meta({ description: 'Net amounts that are PENDING or HELD.' }),
    available: z.number().meta({
      description: 'Net amounts that are APPROVED. What was spent in orders is not subtracted.',
    }),
    paid: z.number().meta({ description: 'Net amounts that were paid out.' }),
    earned: z.number().meta({ description: 'All that was not reversed, less what refunds took back.' }),
    currency: z.string(),
    byStatus: z
      .array(z.object({ status: CommissionStatusField, ...sums }))
      .describe('The sums of each status.'),
    byType: z
      .array(z.object({ type: CommissionTypeField, ...sums }))
      .meta({ description: 'Without those that were reversed.' }),
  })
  .meta({ id: 'CommissionSummary' });

const sumOf = (groups: readonly CommissionGroup[]) => ({
  count: groups.reduce((sum, { count }) => sum + count, 0),
  amount: figureInMajor(
    groups.reduce((sum, { minor }) => sum + minor, 0),
    PLATFORM_CURRENCY,
  ),
});

export const summariseCommissions = endpoint({
  id: 'summariseCommissions',
  returns: 'The sums by status and by type',
  method: 'get',
  path: '/mlm/commissions/summary',
  summary: 'Show what your commissions come to',
  description: 'Counts and sums of all your commissions, by status and by type.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: CommissionSummary,
  errors: { NOT_A_PARTNER: 403 },

  async handle(_, context) {
    const { db, request } = context;
    const { id } = await ownPartner(context);
    const groups = await sumsGate.through(() => commissionGroups(db, id), request.clientGone);
    const standing = (...statuses: string[]) => groups.filter(({ status }) => statuses.includes(status));
    const kept = groups.filter(({ status }) => status !== 'REVERSED');
    return {
      pending: sumOf(standing('PENDING', 'HELD')).amount,
      available: sumOf(standing('APPROVED')).amount,
      paid: sumOf(standing('PAID')).amount,
      earned: sumOf(kept).amount,
      currency: PLATFORM_CURRENCY,
      byStatus: commissionStates.names.map((status) => ({ status, ...sumOf(standing(status)) })),
      byType: COMMISSION_TYPES.map((type) => ({
        type,
        ...sumOf(kept.filter((group) => group.type === type)),
      })),
    };
  },
});
