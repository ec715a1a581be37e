import { z } from 'zod';
import type { WaitingTransfer } from '../../../../db/commerce/bank-file/bank-file.reads';
import { toMajor } from '../../../../workflows/commerce/money.rules';

export const CollectedTransfer = z
  .object({
    id: z.uuid().describe('Identifies the transfer; a UUID.'),
    key: z.string().meta({
      description: 'The id of what is paid out; after a refusal with the number of the try.',
      example: '0199b0c4-d2a0-7c3f-8a51-e1f0d6b7a2c4',
    }),
    amount: z.number().describe('What is sent.'),
    currency: z.string(),
    createdAt: z.iso.datetime().describe('When it was collected.'),
  })
  .meta({ id: 'CollectedTransfer', description: 'A transfer that waits for the next file.' });

export const collectedView = ({
  id,
  key,
  amountMinor,
  currency,
  createdAt,
}: WaitingTransfer): z.output<typeof CollectedTransfer> => ({
  id,
  key,
  amount: toMajor(amountMinor, currency),
  currency,
  createdAt: createdAt.toISOString(),
});
