import { z } from 'zod';
import type { PayoutFilter } from '../../../db/commerce/payout/administered-payout.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { flag, isoDate, moneyText, periodEnd } from '../../http/request/fields';
import { PayoutStatusField } from '../../mlm/payouts/payout.view';
import { idOf } from '../../http/request/ids/id-of';

/** The query parameters that choose payouts. */
export const payoutQuery = {
  status: z.enum([...PayoutStatusField.options, 'ALL']).default('ALL'),
  partnerId: idOf('partner').optional().meta({ description: 'Only payouts of this partner.' }),
  userId: idOf('user').optional().meta({ description: 'Only payouts of this user.' }),
  needsTransfer: flag()
    .optional()
    .meta({ description: 'Whether a person has to send it. Left out: whether or not.', example: true }),
  dateFrom: isoDate().optional(),
  dateTo: periodEnd().optional(),
  minAmount: moneyText().optional().meta({ description: 'Only payouts of at least this amount.' }),
};

type Query = z.output<z.ZodObject<typeof payoutQuery>>;

/** The filter that a query asks for. */
export const payoutFilterOf = (kind: PayoutKind, query: Query): PayoutFilter => ({
  kind,
  status: query.status === 'ALL' ? undefined : query.status,
  partnerId: query.partnerId,
  userId: query.userId,
  needsTransfer: query.needsTransfer,
  from: query.dateFrom === undefined ? undefined : new Date(query.dateFrom),
  to: query.dateTo === undefined ? undefined : new Date(query.dateTo),
  leastMinor: query.minAmount === undefined ? undefined : toMinor(query.minAmount, PLATFORM_CURRENCY),
});
