import { z } from 'zod';
import type { RequestedWithdrawal } from '../../../db/investment/withdrawal/requested-withdrawal.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';

export const RequestedWithdrawalView = z
  .object({
    participationId: z.uuid().describe('The participation that it is about.'),
    withdrawalId: z.uuid().describe('The withdrawal that was requested.'),
    status: z.literal('PROCESSING'),
    amounts: z
      .object({
        principal: z.number().describe('What was put in.'),
        earnedReturns: z.number().meta({ description: 'Below zero after a loss.' }),
        penalty: z.number().nullable().meta({ description: 'Null where there is none.' }),
        netAmount: z.number().meta({ description: 'What is paid out; never below zero.' }),
        currency: z.string(),
      })
      .describe('What is taken out, and what is paid of it.'),
    estimatedCompletion: z.iso.date().describe('The day on which the money is to arrive.'),
    message: z.string(),
  })
  .meta({ id: 'RequestedWithdrawal' });

export function requestedWithdrawalView(
  withdrawal: RequestedWithdrawal,
): z.output<typeof RequestedWithdrawalView> {
  const { currency } = withdrawal;
  const major = (minor: number): number => toMajor(minor, currency);
  return {
    participationId: withdrawal.participationId,
    withdrawalId: withdrawal.id,
    status: 'PROCESSING',
    amounts: {
      principal: major(withdrawal.principalMinor),
      earnedReturns: major(withdrawal.returnsMinor),
      penalty: withdrawal.penaltyMinor === 0 ? null : major(withdrawal.penaltyMinor),
      netAmount: major(withdrawal.netMinor),
      currency,
    },
    estimatedCompletion: withdrawal.estimatedOn,
    message: messageOf(withdrawal),
  };
}

function messageOf({ netMinor, method, maskedDetails }: RequestedWithdrawal): string {
  if (netMinor === 0) return 'The participation is withdrawn, and nothing is left to pay out.';
  if (method === 'BALANCE') return 'The money is on your balance.';
  return `We are sending the money to ${maskedDetails ?? 'your account'}.`;
}
