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
import { COMMISSION_HOLDS } from '../../../workflows/partners/commission/commission.rules';
import { AdjustmentView, adjustmentView, Commission, CommissionStatusField } from './commission.view';
import { Computation, computationOf, percentOf } from './computation.view';

const MOST_PARTS = 100;
/** A tree has at most 500 levels. */
const MOST_RATES = 500;

const moment = z.iso.datetime();

const CommissionHoldField = z.enum(COMMISSION_HOLDS).meta({
  id: 'CommissionHold',
  description:
    'What keeps a commission PENDING although it is due. REFUND: one of its order is not done or not counted. CHARGEBACK: a bank took back what had paid for it. EARLY_WITHDRAWAL: the participation was withdrawn before. POINTS_LOST: refunds took the points of the rank.',
});

export const CommissionExplanation = z
  .object({
    commission: Commission.describe('The commission as lists show it.'),
    computation: Computation,
    takenBack: z
      .object({
        total: z.number().meta({ description: 'Below zero.' }),
        parts: z
          .array(
            z.object({
              commissionId: z.uuid().describe('The commission that takes this back.'),
              amount: z.number(),
              status: CommissionStatusField,
              createdAt: moment,
            }),
          )
          .describe('Each part, the oldest first.'),
      })
      .describe('What refunds have taken back of it.'),
    adjustments: z.array(AdjustmentView).describe('What administrators did to it, the oldest first.'),
    amountLeft: z.number().meta({ description: 'Net, less what was taken back; 0 if it was reversed.' }),
    next: z
      .object({
        status: z.literal('APPROVED'),
        notBefore: moment.describe('It does not become available before.'),
        openRefundId: z
          .uuid()
          .nullable()
          .describe('A refund of its order that has to be decided and done first; else null.'),
        heldBy: CommissionHoldField.nullable().describe(
          'What keeps it PENDING after `notBefore`, as things are now; null: nothing.',
        ),
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
      ratesMet: met.map(({ level, rankCode, rateBp }) => ({ level, rankCode, rate: percentOf(rateBp) })),
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
    adjustments: adjustments.map((one) => adjustmentView(one, currency)),
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
