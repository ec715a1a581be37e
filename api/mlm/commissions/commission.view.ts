import { z } from 'zod';
import type { RecordedAdjustment } from '../../../db/partners/commission-list/commission-explanation.reads';
import type { ListedCommission } from '../../../db/partners/commission-list/commission-list.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import {
  ADJUSTMENTS,
  type Adjustment,
} from '../../../workflows/partners/commission/commission-adjustment.rules';
import {
  COMMISSION_SOURCES,
  COMMISSION_TYPES,
} from '../../../workflows/partners/commission/commission.rules';
import {
  commissionStates,
  type CommissionStatus,
} from '../../../workflows/partners/commission/commission.states';
import { shortName } from '../short-name';

const POINT = 100;

/** Points as the API has them; they are stored in hundredths. */
export const pointsOf = (hundredths: number): number => hundredths / POINT;

export const CommissionStatusField = z.enum(commissionStates.names).meta({
  id: 'CommissionStatus',
  description: 'The progress of a commission. Only APPROVED ones can be paid out; HELD waits for a decision.',
});

const moment = z.iso.datetime();

export const CommissionTypeField = z.literal(COMMISSION_TYPES).meta({
  id: 'CommissionType',
  description:
    '0 entrance fee, 1 personal sale, 2 team differential, 3 repeat sale, 5 client profit, 6 network profit differential, 7 leadership pool, 8 rank bonus.',
  example: 1,
});

export const CommissionSourceField = z.enum(COMMISSION_SOURCES).meta({
  id: 'CommissionSource',
  description: 'The kind of what a commission is of. BONUS: an entrance fee or a leadership pool.',
});

export const AdjustmentField = z.enum(ADJUSTMENTS).meta({
  id: 'CommissionAdjustment',
  description:
    'APPROVE from PENDING or HELD; HOLD from PENDING or APPROVED; REVERSE and ADJUST_AMOUNT from PENDING, HELD or APPROVED.',
});

export const Commission = z
  .object({
    id: z.uuid(),
    partner: z
      .object({ id: z.uuid(), name: z.string(), referralCode: z.string() })
      .describe('The partner who earned it.'),
    type: CommissionTypeField,
    sourceType: CommissionSourceField,
    sourceId: z.uuid().describe('The order, deposit, profit, entrance or pool run that it is of.'),
    sourcePartner: z
      .object({ id: z.uuid().describe('Identifies the partner; a UUID.'), name: z.string() })
      .nullable()
      .describe('The sponsor of the sale, by first name and initial for the partner; null without one.'),
    levelDepth: z
      .int()
      .nullable()
      .describe('Levels from the sale, whose sponsor is 1; null of a pool and a rank bonus.'),
    grossAmount: z.number().describe('What was computed, before withholding and adjustments.'),
    netAmount: z.number().describe('After withholding and adjustments.'),
    careerPoints: z.number().describe('Points that the sale brought.'),
    currency: z.string(),
    status: CommissionStatusField,
    periodId: z.string().nullable().meta({
      description: 'The period of the pool, like weekly:2026-W47 or monthly:2026-11; null of any other.',
      example: 'weekly:2026-W47',
    }),
    maturesAt: moment.describe('From then on the daily job makes it available.'),
    reversalOf: z.uuid().nullable().describe('The commission of which this takes back a part; else null.'),
    processedAt: moment
      .nullable()
      .describe('When its status last changed; null while it is PENDING from the beginning.'),
    approvedBy: z
      .uuid()
      .nullable()
      .describe('The administrator who approved it before its time; else null, and always for the partner.'),
    createdAt: moment,
  })
  .meta({ id: 'AdminCommission' });

const WITHOUT_LEVEL: readonly number[] = [7, 8];
type Person = Parameters<typeof shortName>[0];
type View = z.input<typeof Commission>;

/** The view of a commission for administrators. */
export const commissionView = (row: ListedCommission): View => ({
  ...parts(row, ({ firstName, lastName }) => `${firstName} ${lastName}`),
  approvedBy: row.approvedBy,
});

/** The view for the partner who earned it: another partner by the short name, and no administrator. */
export const ownCommissionView = (row: ListedCommission): View => ({
  ...parts(row, shortName),
  approvedBy: null,
});

const sourcePersonOf = ({ sourceFirstName, sourceLastName }: ListedCommission): Person => ({
  firstName: sourceFirstName ?? '',
  lastName: sourceLastName ?? '',
});

const parts = (row: ListedCommission, nameOf: (person: Person) => string): Omit<View, 'approvedBy'> => ({
  id: row.id,
  partner: { id: row.partnerId, name: row.partnerName, referralCode: row.referralCode },
  type: row.type,
  sourceType: row.sourceType,
  sourceId: row.sourceId,
  sourcePartner:
    row.sourcePartnerId === null ? null : { id: row.sourcePartnerId, name: nameOf(sourcePersonOf(row)) },
  levelDepth: WITHOUT_LEVEL.includes(row.type) ? null : row.level,
  grossAmount: toMajor(row.grossMinor, row.currency),
  netAmount: toMajor(row.netMinor, row.currency),
  careerPoints: pointsOf(row.points),
  currency: row.currency,
  status: row.status,
  periodId: row.periodId,
  maturesAt: row.maturesAt.toISOString(),
  reversalOf: row.reversalOf,
  processedAt: row.processedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

/** An adjustment of a commission by an administrator, as its partner sees it. */
export const AdjustmentView = z.object({
  action: AdjustmentField.describe('What was done to it, such as HOLD.'),
  previousStatus: CommissionStatusField,
  newStatus: CommissionStatusField,
  previousAmount: z.number().describe('The net amount before it.'),
  newAmount: z.number().describe('The net amount after it.'),
  reason: z.string(),
  adjustedAt: moment.describe('When it was adjusted.'),
});

export const adjustmentView = (
  { action, previousStatus, newStatus, previousMinor, newMinor, reason, at }: RecordedAdjustment,
  currency: string,
): z.output<typeof AdjustmentView> => ({
  action: action as Adjustment,
  previousStatus: previousStatus as CommissionStatus,
  newStatus: newStatus as CommissionStatus,
  previousAmount: toMajor(previousMinor, currency),
  newAmount: toMajor(newMinor, currency),
  reason,
  adjustedAt: at.toISOString(),
});
