import { z } from 'zod';
import type { ProviderWriteOffRow } from '../../../../db/investment/provider-payment/provider-write-off.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../../workflows/commerce/money.rules';
import { money, text } from '../../../http/request/fields';

/** A part of a debt as an administrator gives it up. */
export const ProviderWriteOffRequest = z
  .object({
    amount: money({ min: 0.01 }).meta({
      description: 'The part of the debt that is given up.',
      example: 400,
    }),
    // Strategies are in it alone.
    currency: z.literal(PLATFORM_CURRENCY).default(PLATFORM_CURRENCY),
    reason: text({ min: 3, max: 500 }).meta({
      description: 'For the list and the audit trail.',
      example: 'The company was wound up; the liquidator pays nothing.',
    }),
  })
  .meta({ id: 'ProviderWriteOffRequest' });

export const ProviderWriteOff = z
  .object({
    id: z.uuid(),
    providerCode: z.string().meta({ description: 'The provider that owed it.' }),
    amount: z.number().meta({ description: 'The part of the debt that was given up.' }),
    currency: z.string(),
    reason: z.string().meta({ description: 'Why it was given up.' }),
    decidedBy: z.uuid().meta({ description: 'The administrator who decided it.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was decided and booked.' }),
  })
  .meta({ id: 'ProviderWriteOff' });

export const providerWriteOffView = ({
  amountMinor,
  createdAt,
  ...shown
}: ProviderWriteOffRow): z.output<typeof ProviderWriteOff> => ({
  ...shown,
  amount: toMajor(amountMinor, shown.currency),
  createdAt: createdAt.toISOString(),
});
