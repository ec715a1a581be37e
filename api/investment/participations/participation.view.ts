import { z } from 'zod';
import type { ParticipationRow } from '../../../db/investment/participation/participation.reads';
import { figureInMajor, toMajor } from '../../../workflows/commerce/money.rules';
import { PARTICIPATION_ORIGINS } from '../../../workflows/investment/participation/participation.rules';
import { returnsOf } from '../../../workflows/investment/participation/participation-returns.rules';
import { participationStates } from '../../../workflows/investment/participation/participation.states';
import { RiskLevelField } from '../strategies/strategy.view';

export const ParticipationStatusField = z.enum(participationStates.names).meta({
  id: 'ParticipationStatus',
  description:
    'The progress of a participation. Only an ACTIVE one earns; CANCELLED: it was not paid in time.',
});

export const ParticipationOriginField = z.enum(PARTICIPATION_ORIGINS).meta({
  id: 'ParticipationOrigin',
  description: 'PLATFORM: paid here. PROVIDER: made at its provider. REINVESTMENT: made of a matured one.',
});

/** The strategy of a participation, as it is called now. */
export const ParticipationStrategy = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  riskLevel: RiskLevelField,
});

export const ParticipationReturns = z.object({
  earned: z.number().meta({ description: 'Distributed profits less losses.', example: 12.5 }),
  pending: z.number().meta({
    description: 'Interest accrued until now at the expected rate that is not distributed yet.',
    example: 3.21,
  }),
  projected: z
    .number()
    .meta({ description: 'Interest at the expected rate from start to maturity.', example: 80 }),
});

export const ParticipationOptions = z.object({
  compounding: z.boolean().describe('Whether the returns are invested again with the principal.'),
  autoReinvest: z.boolean().describe('Whether the principal is invested again at maturity.'),
});

/** A participation as lists show it. */
export const Participation = z
  .object({
    id: z.uuid(),
    strategy: ParticipationStrategy.describe('The strategy that it is of.'),
    amount: z.number().describe('The principal that was put in.'),
    currency: z.string(),
    status: ParticipationStatusField,
    returns: ParticipationReturns.describe('What it has earned, and what is expected.'),
    dates: z
      .object({
        startDate: z.iso.datetime().nullable().describe('When it began to run; null before.'),
        maturityDate: z.iso.datetime().nullable().describe('When it matures; null before it runs.'),
        withdrawnAt: z.iso.datetime().nullable().describe('When it was withdrawn; null if it was not.'),
      })
      .describe('When it began and when it ends.'),
    options: ParticipationOptions.describe('What happens at its maturity.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Participation' });

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The parts of a participation that lists and details share. */
export const participationParts = (row: ParticipationRow, now: Date) => ({
  strategy: {
    id: row.strategyId,
    name: row.strategyName,
    slug: row.strategySlug,
    riskLevel: row.riskLevel,
  },
  returns: returnsView(row, now),
  dates: {
    startDate: iso(row.startedAt),
    maturityDate: iso(row.maturesAt),
    withdrawnAt: row.status === 'WITHDRAWN' ? iso(row.endedAt) : null,
  },
  options: { compounding: row.compounding, autoReinvest: row.autoReinvest },
});

function returnsView(row: ParticipationRow, now: Date): z.input<typeof ParticipationReturns> {
  const { earnedMinor, pendingMinor, projectedMinor } = returnsOf(row, now);
  return {
    earned: figureInMajor(earnedMinor, row.currency),
    pending: figureInMajor(pendingMinor, row.currency),
    projected: figureInMajor(projectedMinor, row.currency),
  };
}

export const participationView = (row: ParticipationRow, now: Date): z.input<typeof Participation> => ({
  id: row.id,
  amount: toMajor(row.amountMinor, row.currency),
  currency: row.currency,
  status: row.status,
  ...participationParts(row, now),
  createdAt: row.createdAt.toISOString(),
});
