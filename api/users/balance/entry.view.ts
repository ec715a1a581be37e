import { z } from 'zod';
import type { AccountEntry } from '../../../db/ledger/ledger.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { ENTRY_TYPES } from '../../../workflows/ledger/entry.rules';
import { entryType, referenceText } from '../../../workflows/ledger/reference.rules';

/** One movement of a user's money, in major units; negative is money out. */
export const EntryView = z
  .object({
    id: z.string().meta({ description: 'Identifies the entry.', example: '4711' }),
    type: z
      .enum(ENTRY_TYPES)
      .meta({ id: 'WalletEntryType', description: 'The cause of a change of a balance.' })
      .describe('The cause of the entry.'),
    amount: z
      .number()
      .meta({ description: 'In units of the currency; negative is money out.', example: -19.99 }),
    currency: z.string().meta({ example: 'USD' }),
    reference: z.string().meta({
      description: 'The event behind it.',
      example: 'order:0198c1de-0000-7000-8000-000000000000:wallet',
    }),
    orderId: z.uuid().nullable().meta({ description: 'The order behind it, if there is one.' }),
    orderNumber: z.string().nullable(),
    participationId: z
      .uuid()
      .nullable()
      .meta({ description: 'The participation behind it, if there is one.' }),
    participationNumber: z
      .string()
      .nullable()
      .describe('The number of the participation behind it; null if there is none.'),
    entranceId: z.uuid().nullable().meta({ description: 'The entrance fee behind it, if there is one.' }),
    entranceNumber: z
      .string()
      .nullable()
      .describe('The number of the entrance fee behind it; null if there is none.'),
    topUpId: z.uuid().nullable().meta({ description: 'The top-up behind it, if there is one.' }),
    topUpNumber: z.string().nullable().describe('The number of the top-up behind it; null if there is none.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'WalletEntry' });

export const entryView = ({
  id,
  currency,
  amountMinor,
  orderId,
  orderNumber,
  participationId,
  participationNumber,
  entranceId,
  entranceNumber,
  topUpId,
  topUpNumber,
  createdAt,
  ...reference
}: AccountEntry) => ({
  id: String(id),
  type: entryType(reference),
  amount: toMajor(amountMinor, currency),
  currency,
  reference: referenceText(reference),
  orderId,
  orderNumber,
  participationId,
  participationNumber,
  entranceId,
  entranceNumber,
  topUpId,
  topUpNumber,
  createdAt: createdAt.toISOString(),
});
