import { z } from 'zod';
import {
  adjustmentsOf,
  backOf,
  explainedCommission,
  partsTakenBack,
  ratesMet,
  takenBackMinor,
} from '../../../db/partners/commission-list/commission-explanation.reads';
import type { ListedCommission } from '../../../db/partners/commission-list/commission-list.reads';
import { shareOfCommission } from '../../../db/partners/pool/pool-share.reads';
import type { Db } from '../../../db/sql/query';
import { toMajor } from '../../../workflows/commerce/money.rules';
import type { Adjustment } from '../../../workflows/partners/commission/commission-adjustment.rules';
import { COMMISSION_HOLDS } from '../../../workflows/partners/commission/commission.rules';
import {
  explainedInFigures,
  explainedInWords,
  recomputedMinor,
  weightInMajor,
  withheldMinor,
  type ComputedCommission,
} from '../../../workflows/partners/commission/commission-explanation.rules';
import { AdjustmentField, Commission, CommissionStatusField } from './commission.view';

const PERCENT = 100;
const MOST_PARTS = 100;
/** A tree has at most 500 levels. */
const MOST_RATES = 500;

const moment = z.iso.datetime();
const percent = z.number().meta({ example: 12.5 });

const CommissionHoldField = z.enum(COMMISSION_HOLDS).meta({ id: 'CommissionHold' });

export const CommissionExplanation = z
  .object({
    commission: Commission,
    computation: z
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
          .array(z.object({ level: z.int(), rankCode: z.string(), rate: percent }))
          .meta({ description: 'Of a differential: the ranks that earned on the way up, with the own one.' }),
        programmeVersion: z.int(),
        rank: z.object({ level: z.int(), code: z.string(), name: z.string() }),
        recomputedAmount: z.number().nullable().meta({
          description:
            'The gross amount computed anew; below zero of what takes back a part of another commission.',
        }),
        withheld: z.number().meta({ description: 'Withheld of the gross amount.' }),
        formula: z.string().meta({ example: '20 × (30 % − 10 %) = 4.00 USD' }),
        inWords: z.string(),
      })
      .meta({ description: 'How the gross amount was computed.' }),
    takenBack: z.object({
      total: z.number().meta({ description: 'Below zero.' }),
      parts: z.array(
        z.object({
          commissionId: z.uuid(),
          amount: z.number(),
          status: CommissionStatusField,
          createdAt: moment,
        }),
      ),
    }),
    adjustments: z.array(
      z.object({
        action: AdjustmentField,
        previousStatus: CommissionStatusField,
        newStatus: CommissionStatusField,
        previousAmount: z.number(),
        newAmount: z.number(),
        reason: z.string(),
        adjustedAt: moment,
      }),
    ),
    amountLeft: z.number().meta({ description: 'Net, less what was taken back; 0 if it was reversed.' }),
    next: z
      .object({
        status: z.literal('APPROVED'),
        notBefore: moment,
        openRefundId: z.uuid().nullable(),
        heldBy: CommissionHoldField.nullable(),
      })
      .nullable()
      .meta({ description: 'What the daily job will make of it; null if nothing.' }),
  })
  .meta({ id: 'CommissionExplanation' });
type View = z.input<typeof CommissionExplanation>;

/** The computation of a commission, and everything that has changed it since; `view` shows it to the caller. */
export async function explanationOf(
  db: Db,
  commission: ListedCommission,
  view: (row: ListedCommission) => View['commission'],
): Promise<View> {
  const { id, currency, netMinor, status, maturesAt } = commission;
  const [explained, pool, back, met, parts, taken, adjustments] = await Promise.all([
    explainedCommission(db, id),
    shareOfCommission(db, id),
    backOf(db, id),
    ratesMet(db, id, MOST_RATES),
    partsTakenBack(db, id, MOST_PARTS),
    takenBackMinor(db, id),
    adjustmentsOf(db, id, MOST_PARTS),
  ]);
  if (!explained) throw new Error(`There is no commission ${id}.`);
  const major = (minor: number): number => toMajor(minor, currency);
  return {
    commission: view(commission),
    computation: {
      ...computationOf(commission, { ...explained, pool, back }),
      ratesMet: met.map(({ level, rankCode, rateBp }) => ({ level, rankCode, rate: rateBp / PERCENT })),
    },
    takenBack: {
      total: major(taken),
      parts: parts.map((part) => ({
        commissionId: part.id,
        amount: major(part.netMinor),
        status: part.status,
        createdAt: part.createdAt.toISOString(),
      })),
    },
    adjustments: adjustments.map((one) => ({
      action: one.action as Adjustment,
      previousStatus: one.previousStatus as View['commission']['status'],
      newStatus: one.newStatus as View['commission']['status'],
      previousAmount: major(one.previousMinor),
      newAmount: major(one.newMinor),
      reason: one.reason,
      adjustedAt: one.at.toISOString(),
    })),
    amountLeft: status === 'REVERSED' ? 0 : major(netMinor + taken),
    next:
      status === 'PENDING'
        ? {
            status: 'APPROVED',
            notBefore: maturesAt.toISOString(),
            openRefundId: explained.openRefundId,
            heldBy: explained.heldBy,
          }
        : null,
  };
}

type Explained = NonNullable<Awaited<ReturnType<typeof explainedCommission>>> &
  Pick<ComputedCommission, 'pool' | 'back'>;

function computationOf(
  commission: ListedCommission,
  explained: Explained,
): Omit<View['computation'], 'ratesMet'> {
  const { currency, grossMinor } = commission;
  const of = { ...explained, type: commission.type, grossMinor, currency };
  const recomputed = recomputedMinor(of);
  return {
    base: toMajor(explained.baseMinor, currency),
    appliedTo: weightInMajor(explained.commissionWeight),
    rate: explained.rateBp / PERCENT,
    metRate: explained.metRateBp === null ? null : explained.metRateBp / PERCENT,
    programmeVersion: explained.programmeVersion,
    rank: { level: explained.rankLevel, code: explained.rankCode, name: explained.rankName },
    recomputedAmount: recomputed === null ? null : toMajor(recomputed, currency),
    withheld: toMajor(withheldMinor(grossMinor, explained.withholdingBp), currency),
    formula: explainedInFigures(of),
    inWords: explainedInWords(of),
  };
}
