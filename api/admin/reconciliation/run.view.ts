import { z } from 'zod';
import type { PaymentWebhook } from '../../../activities/providers/payments/webhook';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import type { RunRow } from '../../../db/commerce/reconciliation/reconciliation.reads';

const webhooks: readonly Pick<PaymentWebhook<never>, 'code' | 'hasStatement'>[] = paymentWebhooks;

/** The providers whose statements are compared with ours. Our own bank account has no statement that programs can read. */
export const STATEMENT_PROVIDERS = webhooks
  .filter(({ hasStatement }) => hasStatement)
  .map(({ code }) => code);

export const ReconciledProviderField = z.enum(STATEMENT_PROVIDERS).meta({
  id: 'ReconciledProvider',
  description: 'A payment provider whose statement is compared with ours.',
});

/** The words of a day in the document. */
export const DAY = { description: 'A day in UTC.', example: '2026-01-23' };

export const DayField = z.iso.date().meta(DAY);

export const ReconciliationRunView = z
  .object({
    id: z.uuid(),
    provider: z.string().meta({ description: 'The payment provider.', example: 'sandbox' }),
    day: DayField,
    status: z.enum(['READING', 'DONE']).meta({
      description:
        'READING: its statement is read, or waits to be compared. DONE: it is compared, and its fees are booked.',
    }),
    startedAt: z.iso.datetime().meta({ description: 'When the latest reading began.' }),
    comparedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Null until the latest reading is compared.' }),
    movements: z.int().meta({ description: 'Movements of money that the provider named, fees included.' }),
    feesBooked: z.int().meta({
      description:
        'Fees that the latest comparison booked; each is booked once, so of a repeated run it is 0.',
    }),
    openDifferences: z.int().meta({ description: 'Differences of this day that are open now.' }),
  })
  .meta({
    id: 'ReconciliationRun',
    description: 'The comparison of one day of a provider’s statement with ours.',
  });

export const runView = (run: RunRow): z.input<typeof ReconciliationRunView> => ({
  id: run.id,
  provider: run.provider,
  day: run.day,
  status: run.comparedAt === null ? 'READING' : 'DONE',
  startedAt: run.startedAt.toISOString(),
  comparedAt: run.comparedAt?.toISOString() ?? null,
  movements: run.movements,
  feesBooked: run.feesBooked,
  openDifferences: run.openDifferences,
});
