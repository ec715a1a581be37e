import { z } from 'zod';
import type { explainedCommission } from '../../../db/partners/commission-list/commission-explanation.reads';
import type { ListedCommission } from '../../../db/partners/commission-list/commission-list.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import {
  explainedInFigures,
  explainedInWords,
  recomputedMinor,
  weightInMajor,
  withheldMinor,
  type ComputedCommission,
} from '../../../workflows/partners/commission/commission-explanation.rules';

const BASIS_POINTS = 100;

/** Basis points in percent. */
export const percentOf = (basisPoints: number): number => basisPoints / BASIS_POINTS;

const percent = z.number().meta({ example: 12.5 });

export const Computation = z
  .object({
    base: z.number().meta({ description: 'The sale, profit, fee or pool that it is of.' }),
    appliedTo: z.number().meta({
      description: 'What the rate was applied to: of a sale the commission that its products carry.',
    }),
    rate: percent.meta({ description: 'The rate applied, in percent.' }),
    metRate: percent.nullable().meta({
      description: 'Of a differential: the highest rate met below, which `rate` is less; else null.',
    }),
    ratesMet: z
      .array(
        z.object({
          level: z.int().describe('The place of the rank, from 1.'),
          rankCode: z.string().describe('The code of the rank.'),
          rate: percent.describe('The rate of that rank, in percent.'),
        }),
      )
      .meta({ description: 'Of a differential: the ranks that earned on the way up, with the own one.' }),
    programmeVersion: z.int().describe('The version of the programme whose rates were used.'),
    rank: z
      .object({
        level: z.int().describe('The place of the rank, from 1.'),
        code: z.string().describe('The short name of the rank, such as LEADER.'),
        name: z.string(),
      })
      .describe('The rank of the partner at that time.'),
    recomputedAmount: z.number().nullable().meta({
      description:
        'The gross amount computed anew; below zero of what takes back a part of another commission.',
    }),
    withheld: z.number().meta({ description: 'Withheld of the gross amount.' }),
    formula: z
      .string()
      .meta({ description: 'The computation in figures.', example: '20 × (30 % − 10 %) = 4.00 USD' }),
    inWords: z.string().describe('The computation in words.'),
  })
  .meta({ description: 'How the gross amount was computed.' });

type Explained = NonNullable<Awaited<ReturnType<typeof explainedCommission>>> &
  Pick<ComputedCommission, 'pool' | 'back'>;

/** The computation of a commission without the ranks that it met. */
export function computationOf(
  commission: ListedCommission,
  explained: Explained,
): Omit<z.input<typeof Computation>, 'ratesMet'> {
  const { currency, grossMinor } = commission;
  const of = { ...explained, type: commission.type, grossMinor, currency };
  const recomputed = recomputedMinor(of);
  return {
    base: toMajor(explained.baseMinor, currency),
    appliedTo: weightInMajor(explained.commissionWeight),
    rate: percentOf(explained.rateBp),
    metRate: explained.metRateBp === null ? null : percentOf(explained.metRateBp),
    programmeVersion: explained.programmeVersion,
    rank: { level: explained.rankLevel, code: explained.rankCode, name: explained.rankName },
    recomputedAmount: recomputed === null ? null : toMajor(recomputed, currency),
    withheld: toMajor(withheldMinor(grossMinor, explained.withholdingBp), currency),
    formula: explainedInFigures(of),
    inWords: explainedInWords(of),
  };
}
