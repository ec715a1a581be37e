import { z } from 'zod';
import { ProviderId, type PaymentMessage } from '../../../../activities/providers/payments/message';

/** The fields of Acme's events. It names a payment by the number that it was opened with, ours. */
const AcmeEvent = z.object({
  no: ProviderId,
  type: z.enum(['acme.settled', 'acme.declined']),
  order: z.uuid(),
  charge: ProviderId,
  cents: z.number().int().positive(),
  unit: z.string().regex(/^[A-Z]{3}$/),
});

/** Reads an event of Acme; null for one that is not of its form. */
export function acmeMessage(event: unknown): PaymentMessage | null {
  const parsed = AcmeEvent.safeParse(event);
  if (!parsed.success) return null;
  const { type, order: key, charge: paymentId, cents: amountMinor, unit: currency } = parsed.data;
  const status = type === 'acme.settled' ? 'PAID' : 'DECLINED';
  return { about: 'payment', key, report: { paymentId, status, amountMinor, currency } };
}
