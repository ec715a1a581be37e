import { z } from 'zod';
import { bankFileBy, type CountedBankFile } from '../../../db/commerce/bank-file/bank-file.reads';
import type { Db } from '../../../db/sql/query';
import { bankName } from '../../../workflows/commerce/payout/bank-file/bank-file.rules';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { idOf } from '../../http/request/ids/id-of';

/** The path parameter of endpoints about one file. */
export const oneBankFile = z.object({ id: idOf('bank file') });

/** The state of a transfer of something that is paid out, for those who may send it by hand. */
export const BankFileTransferField = z
  .enum(['COLLECTED', 'IN_FILE'])
  .meta({ id: 'BankFileTransferStatus' })
  .nullable()
  .meta({
    description:
      'COLLECTED: its transfer waits for the next bank file; abandoning its operation takes it out and leaves it to a person. IN_FILE: the bank may carry it out, so it is neither left to a person nor settled by hand before the report of the bank, or before the file is withdrawn. Null: no bank file sends it.',
  });

export const BankFile = z
  .object({
    id: z.uuid().describe('Identifies the file; a UUID.'),
    messageId: z.string().meta({
      description: 'What the file is called in the messages of the bank.',
      example: '0199b0c4d2a07c3f8a51e1f0d6b7a2c4',
    }),
    transfers: z.int().meta({ description: 'How many transfers it holds.' }),
    amount: z.number().meta({ description: 'The sum of its transfers.' }),
    currency: z.string(),
    arrived: z.int().meta({ description: 'Transfers that the bank has settled.' }),
    refused: z.int().meta({ description: 'Transfers that the bank has rejected.' }),
    underWay: z.int().meta({ description: 'Transfers that the bank has not ended yet.' }),
    isKept: z.boolean().meta({
      description:
        'Whether the platform still has the file. It can be saved while a transfer in it is under way, and is forgotten some time after the last has ended.',
    }),
    madeBy: z.uuid().describe('The administrator who did it.'),
    madeAt: z.iso.datetime().describe('When it was made.'),
    reportedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the last report of the bank was entered.' }),
  })
  .meta({ id: 'BankFile', description: 'A file of transfers for our bank.' });

export const bankFileView = (file: CountedBankFile): z.output<typeof BankFile> => ({
  id: file.id,
  messageId: bankName(file.id),
  transfers: file.transferCount,
  amount: toMajor(file.amountMinor, file.currency),
  currency: file.currency,
  arrived: file.arrived,
  refused: file.refused,
  underWay: file.underWay,
  isKept: file.isKept,
  madeBy: file.madeBy,
  madeAt: file.madeAt.toISOString(),
  reportedAt: file.reportedAt?.toISOString() ?? null,
});

export const noSuchBankFile = (): Error => refusal('BANK_FILE_NOT_FOUND');

/** A file; refused BANK_FILE_NOT_FOUND when there is none. */
export async function requireBankFile(db: Db, id: string): Promise<CountedBankFile> {
  const file = await bankFileBy(db, id);
  if (!file) throw noSuchBankFile();
  return file;
}
