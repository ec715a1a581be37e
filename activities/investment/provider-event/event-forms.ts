import { z } from 'zod';
import { toMinor } from '../../../workflows/commerce/money.rules';
import { withoutNulls } from '../../../workflows/commerce/webhook/report-fields.rules';
import type { ProviderEventType } from '../../../workflows/investment/provider-event/provider-event.rules';
import { Inapplicable } from '../report/inapplicable';
import { readBody } from '../report/read-body';

/**
 * The ids and codes of a provider are shown and audited with the reasons of its reports, so none is an email address or a name
 * in words.
 */
const externalId = z.string().regex(/^[\x21-\x3f\x41-\x7e]{1,255}$/);
const strategyCode = externalId.max(100);
/** Longest status and level of a provider. */
const word = z.string().min(1).max(50);
/** The database has no year 0, and years before this one are mistakes. */
const EARLIEST = Date.UTC(1900, 0);
const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
  .refine((time) => time.getTime() >= EARLIEST);
const uuid = z.uuid().toLowerCase();

/** The most that a provider says of a person in one report, as JSON. */
const MOST_KYC_CHARACTERS = 65_536;

const FORMS = {
  'investment.created': z
    .object({
      externalId,
      userId: uuid.optional(),
      email: z.string().max(320).toLowerCase().optional(),
      participationId: uuid.optional(),
      strategyCode,
      amount: z.number().positive(),
      currency: z.string().regex(/^[A-Z]{3}$/),
      startDate: moment,
      maturityDate: moment.optional(),
    })
    .refine(({ userId, email }) => userId !== undefined || email !== undefined, {
      path: ['userId'],
      message: 'userId or email is required',
    }),
  'profit.distributed': z.object({
    externalId,
    investmentExternalId: externalId,
    amount: z.number(),
    period: word.optional(),
  }),
  'investment.updated': z.object({
    investmentExternalId: externalId,
    status: word.optional(),
    currentValue: z.number().nonnegative().optional(),
    maturityDate: moment.optional(),
  }),
  'investment.withdrawn': z.object({
    externalId,
    investmentExternalId: externalId,
    amount: z.number().nonnegative(),
    penalty: z.number().nonnegative().optional(),
    status: word.optional(),
  }),
  'kyc.synced': z.object({
    userId: uuid,
    status: word,
    level: word,
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .refine(
        (data) => data === undefined || JSON.stringify(data).length <= MOST_KYC_CHARACTERS,
        'is too long',
      ),
  }),
} satisfies Record<ProviderEventType, z.ZodType>;

export type EventData<Type extends ProviderEventType> = z.output<(typeof FORMS)[Type]>;

const Envelope = z.object({ timestamp: moment.optional(), data: z.unknown() });

/** A stored report as the use cases read it. */
export interface ProviderEvent<Type extends ProviderEventType = ProviderEventType> {
  id: string;
  provider: string;
  type: Type;
  data: EventData<Type>;
  /** When it happened: the report's own time, but never later than it came. */
  occurredAt: Date;
  receivedAt: Date;
}

/** Reads the body of a report. Throws Inapplicable, naming the fields that are wrong but not what they hold. */
export function readEvent(
  { id, provider, type }: { id: string; provider: string; type: ProviderEventType },
  body: string,
  receivedAt: Date,
): ProviderEvent {
  const envelope = Envelope.safeParse(withoutNulls(readBody(body)));
  if (!envelope.success) throw new Inapplicable('It has no data, or its timestamp is not valid.');
  const data = FORMS[type].safeParse(envelope.data.data);
  if (!data.success) {
    const wrong = new Set(data.error.issues.map(({ path }) => path[0]?.toString() ?? 'data'));
    throw new Inapplicable(`Fields are missing or not valid: ${[...wrong].slice(0, 10).join(', ')}.`);
  }
  const { timestamp: said = receivedAt } = envelope.data;
  const occurredAt = said < receivedAt ? said : receivedAt;
  return { id, provider, type, data: data.data, occurredAt, receivedAt };
}

/** An amount of a report in minor units. Throws Inapplicable where it has more decimals than the currency. */
export function minorOf(field: string, amount: number, currency: string): number {
  try {
    return toMinor(amount, currency);
  } catch {
    throw new Inapplicable(
      `The ${field} ${amount} is no amount of ${currency}: it has too many decimals, or is too large.`,
    );
  }
}
