import { z } from 'zod';
import {
  administeredWithdrawal,
  type AdministeredWithdrawal,
} from '../../../db/investment/withdrawal/administered-withdrawal.reads';
import type { Db } from '../../../db/sql/query';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { BankFileTransferField } from '../bank-files/bank-file.view';
import { Person } from '../person.view';
import { WithdrawalMethodField } from '../../investment/participations/withdrawal-details';

export const WithdrawalStatusField = z.enum(['PROCESSING', 'COMPLETED', 'CREDITED']).meta({
  id: 'WithdrawalStatus',
  description:
    'The progress of a payout. CREDITED: the transfer was refused, and the money is on the balance instead.',
});

export const AdminWithdrawal = z
  .object({
    id: z.uuid(),
    participation: z
      .object({
        id: z.uuid(),
        number: z.string().meta({
          description: 'The number of the participation, as people and bank transfers name it.',
          example: 'INV-2026-00000012',
        }),
      })
      .describe('The participation that was withdrawn.'),
    user: Person.describe('The user whom it belongs to.'),
    status: WithdrawalStatusField,
    method: WithdrawalMethodField,
    amount: z.number().meta({ description: 'What is paid out.' }),
    currency: z.string(),
    maskedDetails: z.string().nullable().meta({
      description:
        'Where it goes. `GET /admin/withdrawals/:id` shows it whole while a person has to send it.',
      example: '•••• 3000',
    }),
    provider: z.string().nullable().meta({
      description: 'Who sends it; `bank`: a person. Null if the money stays here.',
      example: 'bank',
    }),
    needsTransfer: z.boolean().meta({ description: 'Whether a person has to send it.' }),
    bankFileTransfer: BankFileTransferField,
    transferReference: z.string().nullable().meta({
      description: 'What the provider or the bank calls the transfer.',
      example: 'BANK-2026-2291',
    }),
    refusedBecause: z.string().nullable().meta({
      description: 'Why the transfer was refused; null if it was not.',
      example: 'The account takes no transfers.',
    }),
    settledBy: z
      .uuid()
      .nullable()
      .describe('The administrator who recorded that it was sent; null without one.'),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable().describe('When the money was sent; null until then.'),
  })
  .meta({
    id: 'AdminWithdrawal',
    description: 'The payout of a participation that its owner has withdrawn.',
  });

export const withdrawalView = (withdrawal: AdministeredWithdrawal): z.output<typeof AdminWithdrawal> => ({
  id: withdrawal.id,
  participation: { id: withdrawal.participationId, number: withdrawal.number },
  user: {
    id: withdrawal.userId,
    email: withdrawal.email,
    name: `${withdrawal.firstName} ${withdrawal.lastName}`,
  },
  status: withdrawal.status,
  method: withdrawal.method,
  amount: toMajor(withdrawal.netMinor, withdrawal.currency),
  currency: withdrawal.currency,
  maskedDetails: withdrawal.maskedDetails,
  provider: withdrawal.provider,
  needsTransfer: withdrawal.needsTransfer,
  bankFileTransfer: withdrawal.bankFileTransfer,
  transferReference: withdrawal.transferReference,
  refusedBecause: withdrawal.refusedBecause,
  settledBy: withdrawal.settledBy,
  createdAt: withdrawal.createdAt.toISOString(),
  completedAt: withdrawal.endedAt?.toISOString() ?? null,
});

/** A withdrawal; refused WITHDRAWAL_NOT_FOUND when there is none. */
export async function oneWithdrawal(db: Db, id: string): Promise<AdministeredWithdrawal> {
  const withdrawal = await administeredWithdrawal(db, id);
  if (!withdrawal) throw refusal('WITHDRAWAL_NOT_FOUND');
  return withdrawal;
}
