import { z } from 'zod';
import type { WithdrawalOfUser } from '../../../db/investment/withdrawal/withdrawal-export.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { WITHDRAWAL_METHODS } from '../../../workflows/investment/withdrawal/withdrawal.rules';

/** A withdrawal; where its money went is masked. */
export const WithdrawalExport = z.object({
  id: z.uuid(),
  participationId: z.uuid(),
  method: z.enum(WITHDRAWAL_METHODS),
  status: z.string(),
  principal: z.number(),
  returns: z.number(),
  penalty: z.number(),
  netAmount: z.number(),
  currency: z.string(),
  maskedDetails: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
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
