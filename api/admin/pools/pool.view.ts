import { z } from 'zod';
import type { PoolShareFigures } from '../../../db/partners/pool/pool-share.reads';
import type { PoolRunFigures } from '../../../db/partners/pool/pool.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { POOL_KINDS } from '../../../workflows/partners/pool/pool-period.rules';
import { poolRunStates } from '../../../workflows/partners/pool/pool.states';

const moment = z.iso.datetime();

export const PoolKindField = z
  .enum(POOL_KINDS)
  .meta({ id: 'PoolKind', description: 'A week (ISO 8601) or a month, in UTC.' });

export const PoolPeriodField = z
  .string()
  .meta({ description: 'The week, such as 2026-W47, or the month, such as 2026-11.', example: '2026-W47' });

/** The figures of a pool, in a run as in a preview. */
const poolFigures = {
  kind: PoolKindField.describe('Whether it is the pool of a week or of a month.'),
  period: PoolPeriodField,
  startsAt: moment.meta({ description: 'The first moment of the period.' }),
  endsAt: moment.meta({ description: 'The first moment after the period.' }),
  programmeVersion: z
    .int()
    .meta({ description: 'The version of the partner programme, which has the rates and weights.' }),
  base: z.number().meta({ description: 'Sales of the period less refunds of the period.' }),
  rate: z.number().meta({ description: 'The percentage of the base that is the pool.' }),
  pool: z.number().meta({
    description: 'Base times rate; 0 if the base is below zero. It is set apart only if somebody takes part.',
  }),
  minimumVolume: z.number().meta({ description: 'The qualified volume from which a partner takes part.' }),
  denominator: z.string().meta({ description: 'The sum of the numerators; an integer.', example: '250000' }),
  participants: z.int().meta({ description: 'How many partners take part.' }),
  distributed: z
    .number()
    .meta({ description: 'The sum of the shares: the whole pool, or 0 if nobody takes part.' }),
  currency: z.string(),
};

const PoolRunStatusField = z.enum(poolRunStates.names).meta({
  id: 'PoolRunStatus',
  description: 'PAYING: the figures are fixed and shares are being paid. COMPLETED: all are paid.',
});

export const PoolRunView = z
  .object({
    id: z.uuid(),
    ...poolFigures,
    status: PoolRunStatusField,
    countedAt: moment.meta({ description: 'The time of the count.' }),
    completedAt: moment.nullable().meta({ description: 'Null until every share is paid.' }),
  })
  .meta({ id: 'PoolRun' });

const nothingYet = 'Null in a preview, which writes nothing.';

/** A run as it would be; its fields are those of one that there is. */
export const PreviewedPoolRunView = z
  .object({
    id: z.uuid().nullable().meta({ description: nothingYet }),
    ...poolFigures,
    status: PoolRunStatusField.nullable().meta({ description: nothingYet }),
    countedAt: moment.nullable().meta({ description: nothingYet }),
    completedAt: moment.nullable().meta({ description: nothingYet }),
  })
  .meta({ id: 'PreviewedPoolRun' });

export const LateSalesField = z.number().meta({
  description:
    'Sales of the period, less refunds, that were announced only after the count, since a run is final: they count in the next run of the same kind.',
});

export const PoolShareView = z
  .object({
    partner: z
      .object({
        id: z.uuid(),
        userId: z.uuid().describe('The user who is the partner.'),
        referralCode: z.string(),
        name: z.string(),
        number: z.int().describe('The number of the partner, in the order of joining.'),
      })
      .meta({ description: 'The partner. Of equal remainders the one with the lower number is raised.' }),
    rank: z.string().meta({ description: 'The code of the rank at the time of the count.' }),
    weight: z.int().meta({ description: 'The weight of the rank.' }),
    legs: z.int().meta({ description: 'The branches above zero; own customers are one.' }),
    volume: z.number().meta({ description: 'The sum of the branches above zero.' }),
    largestLeg: z.number().meta({ description: 'The largest branch.' }),
    qualifiedVolume: z
      .number()
      .meta({ description: 'The lesser of volume and 2 × (volume − largest branch).' }),
    takesPart: z.boolean().meta({ description: 'Whether the qualified volume is enough.' }),
    numerator: z.string().meta({
      description: 'Qualified volume in minor units times weight; 0 for who takes no part. An integer.',
      example: '150000',
    }),
    amount: z.number().meta({
      description:
        'Pool × numerator ÷ denominator, rounded down; what is left goes unit by unit to the largest remainders.',
    }),
    commissionId: z.uuid().nullable().meta({ description: 'The commission that pays it; null without one.' }),
    paidAt: moment.nullable().meta({ description: 'Null until it is paid.' }),
  })
  .meta({ id: 'PoolShare' });

type Figures = Omit<PoolRunFigures, 'id' | 'status' | 'countedAt' | 'completedAt'>;

const poolFiguresView = (run: Figures) => ({
  kind: run.kind,
  period: run.period,
  startsAt: run.startsAt.toISOString(),
  endsAt: run.endsAt.toISOString(),
  programmeVersion: run.programmeVersion,
  base: toMajor(run.baseMinor, run.currency),
  rate: run.rateBp / 100,
  pool: toMajor(run.poolMinor, run.currency),
  minimumVolume: toMajor(run.minimumVolumeMinor, run.currency),
  denominator: run.denominator,
  participants: run.participants,
  distributed: toMajor(run.distributedMinor, run.currency),
  currency: run.currency,
});

export const poolRunView = (run: PoolRunFigures): z.input<typeof PoolRunView> => ({
  id: run.id,
  ...poolFiguresView(run),
  status: run.status,
  countedAt: run.countedAt.toISOString(),
  completedAt: run.completedAt?.toISOString() ?? null,
});

export const previewedPoolRunView = (run: Figures): z.input<typeof PreviewedPoolRunView> => ({
  id: null,
  ...poolFiguresView(run),
  ...{ status: null, countedAt: null, completedAt: null },
});

export const poolShareView = (
  { partnerId: id, userId, referralCode, name, number, ...share }: PoolShareFigures,
  currency: string,
): z.input<typeof PoolShareView> => ({
  partner: { id, userId, referralCode, name, number },
  rank: share.rankCode,
  weight: share.weight,
  legs: share.legs,
  volume: toMajor(share.volumeMinor, currency),
  largestLeg: toMajor(share.largestLegMinor, currency),
  qualifiedVolume: toMajor(share.qualifiedMinor, currency),
  takesPart: share.takesPart,
  numerator: share.numerator,
  amount: toMajor(share.amountMinor, currency),
  commissionId: share.commissionId,
  paidAt: share.paidAt?.toISOString() ?? null,
});
