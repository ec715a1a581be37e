import { z } from 'zod';
import type { WithdrawalOfUser } from '../../../db/investment/withdrawal/withdrawal-export.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { WithdrawalStatusField } from '../../admin/withdrawals/withdrawal.view';
import { WithdrawalMethodField } from '../../investment/participations/withdrawal-details';

/** A withdrawal; where its money went is masked. */
export const WithdrawalExport = z.object({
  id: z.uuid(),
  participationId: z.uuid().describe('The participation that it is about.'),
  method: WithdrawalMethodField,
  status: WithdrawalStatusField,
  principal: z.number().describe('What was put in, as far as it was left.'),
  returns: z.number().describe('What was earned; below zero after a loss.'),
  penalty: z.number().describe('What was kept for withdrawing early.'),
  netAmount: z.number().describe('What was paid out.'),
  currency: z.string(),
  maskedDetails: z.string().nullable().describe('The last characters of the account or card.'),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable().describe('When it was paid or refused; null before.'),
});

export const withdrawalExport = (row: WithdrawalOfUser): z.output<typeof WithdrawalExport> => ({
  id: row.id,
  participationId: row.participationId,
  method: row.method,
  status: row.status,
  principal: toMajor(row.principalMinor, row.currency),
  returns: toMajor(row.returnsMinor, row.currency),
  penalty: toMajor(row.penaltyMinor, row.currency),
  netAmount: toMajor(row.netMinor, row.currency),
  currency: row.currency,
  maskedDetails: row.maskedDetails,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});
