import { z } from 'zod';
import type { CommissionFilter } from '../../../db/partners/commission-list/commission-filter.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { COMMISSION_TYPES } from '../../../workflows/partners/commission/commission.rules';
import { commissionStates } from '../../../workflows/partners/commission/commission.states';
import { CommissionSourceField } from './commission.view';
import { isoDate, moneyText, periodEnd } from '../../http/request/fields';
import { idOf } from '../../http/request/ids/id-of';

/** The query parameters that choose commissions of one partner. */
export const ownCommissionQuery = {
  status: z.enum([...commissionStates.names, 'ALL']).default('ALL'),
  sourceType: CommissionSourceField.optional().meta({ description: 'Only commissions of such a source.' }),
  type: z
    .string()
    .regex(/^[0-35-8]$/, 'must be a type of commission')
    .transform((type) => COMMISSION_TYPES.find((known) => String(known) === type))
    .optional()
    .meta({ description: 'Only commissions of this type, as `type` of a commission.', example: '1' }),
  dateFrom: isoDate().optional(),
  dateTo: periodEnd().optional(),
};

/** The filter of commissions for administrators, who choose among all partners. */
export const commissionQuery = {
  ...ownCommissionQuery,
  partnerId: idOf('partner').optional().meta({ description: 'Only commissions of this partner.' }),
  minAmount: moneyText().optional().meta({ description: 'Only commissions of at least this net amount.' }),
};

type OwnQuery = z.output<z.ZodObject<typeof ownCommissionQuery>>;

/** The filter that a query asks for. */
export const commissionFilterOf = (
  query: OwnQuery & Partial<z.output<z.ZodObject<typeof commissionQuery>>>,
): CommissionFilter => ({
  partnerId: query.partnerId,
  status: query.status === 'ALL' ? undefined : query.status,
  sourceType: query.sourceType,
  type: query.type,
  from: query.dateFrom === undefined ? undefined : new Date(query.dateFrom),
  to: query.dateTo === undefined ? undefined : new Date(query.dateTo),
  leastMinor: query.minAmount === undefined ? undefined : toMinor(query.minAmount, PLATFORM_CURRENCY),
});
