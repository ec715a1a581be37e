import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../../../../workflows/commerce/money.rules';
import { ProviderId } from '../../message';

/** The object that a balance transaction is about: its own amount, in its own currency. */
const object = <Name extends string>(name: Name) =>
  z.object({
    object: z.literal(name),
    id: ProviderId,
    amount: z.number().int().nonnegative().max(MAX_AMOUNT_MINOR),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/)
      .transform((currency) => currency.toUpperCase()),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .transform((metadata): Readonly<Record<string, string>> => metadata ?? {}),
  });

/** A reference: the id of an object, or the object itself. */
const Named = z.union([ProviderId, z.object({ id: ProviderId }).transform(({ id }) => id)]);

/** The fields that we read of it. */
export const StripeSource = z.discriminatedUnion('object', [
  object('charge').extend({ payment_intent: Named.nullish() }),
  object('refund'),
  object('dispute'),
  object('transfer'),
  object('transfer_reversal').extend({ transfer: Named }),
]);
