import { z } from 'zod';
import {
  openingMinor,
  statementLines,
  statementSums,
  type StatementLine,
  type StatementOwner,
} from '../../../db/partners/earnings/statement.reads';
import type { Db } from '../../../db/sql/query';
import { figureInMajor, toMajor } from '../../../workflows/commerce/money.rules';
import {
  COMMISSION_MOVEMENTS,
  monthOf,
  STATEMENT_KINDS,
  type StatementKind,
} from '../../../workflows/partners/statement/statement.rules';

export const MOST_LINES = 1_000;

/** A month of a statement in a path. */
export const month = () =>
  z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month like 2026-11')
    .meta({ description: 'The month, in UTC.', example: '2026-11' });

export const StatementKindField = z.enum(STATEMENT_KINDS).meta({
  description:
    'EARNED: a commission. REVERSED: by a refund or a chargeback. ADJUSTED: by an administrator, earned above zero and reversed below. SPENT: in an order. RETURNED: of an order. PAID: a payout that has arrived. FORFEITED: a payout that was rejected and not returned. OTHER: a correction by hand.',
});

const figure = (description: string) => z.number().meta({ description });

export const CommissionStatement = z
  .object({
    period: z.string().describe('The month in UTC, such as 2026-11.'),
    currency: z.string(),
    opening: figure('Pending, available and held for a payout, at the beginning of the month.'),
    earned: figure('Commissions of the month, with what administrators added.'),
    reversed: figure('Amounts of commissions that refunds, chargebacks and administrators took back.'),
    spent: figure('In orders.'),
    returned: figure('Of orders that were cancelled or refunded.'),
    paid: figure('Payouts that arrived. One that is open or was rejected is no movement.'),
    forfeited: figure('Payouts that were rejected and not returned.'),
    other: figure('Corrections by hand; below zero if they took.'),
    closing: figure(
      'Pending, available and held for a payout, at the end of the month, or now: `opening` + `earned` − `reversed` − `spent` + `returned` − `paid` − `forfeited` + `other`.',
    ),
    linesCount: z.int().meta({ description: 'All lines; the file has every one.' }),
    lines: z
      .array(
        z.object({
          date: z.iso.datetime().describe('When it was booked.'),
          kind: StatementKindField,
          amount: z.number(),
          commissionId: z.uuid().nullable().describe('The commission that it is about; else null.'),
          orderNumber: z.string().nullable(),
        }),
      )
      .meta({ description: `The first ${MOST_LINES}, in the order of time.` }),
  })
  .meta({ id: 'CommissionStatement' });
type View = z.input<typeof CommissionStatement>;

const OF_COMMISSIONS: ReadonlySet<StatementKind> = new Set(COMMISSION_MOVEMENTS);

const total = (sums: readonly { minor: number }[]): number => sums.reduce((all, { minor }) => all + minor, 0);

/** The statement of a month: `closing` is computed of the same sums that it shows. */
export async function statementView(db: Db, owner: StatementOwner, ofPeriod: string): Promise<View> {
  const time = monthOf(ofPeriod);
  const opening = await openingMinor(db, owner, time);
  const sums = await statementSums(db, owner, time);
  const lines = await statementLines(db, owner, time, null, MOST_LINES);
  const { currency } = owner;
  const sumOf = (...kinds: StatementKind[]): number => total(sums.filter(({ kind }) => kinds.includes(kind)));
  const ofCommissions = sums.filter(({ kind }) => OF_COMMISSIONS.has(kind));
  const major = (minor: number): number => figureInMajor(minor, currency);
  return {
    period: ofPeriod,
    currency,
    opening: major(opening),
    earned: major(total(ofCommissions.filter(({ minor }) => minor > 0))),
    reversed: major(0 - total(ofCommissions.filter(({ minor }) => minor < 0))),
    spent: major(0 - sumOf('SPENT')),
    returned: major(sumOf('RETURNED')),
    paid: major(0 - sumOf('PAID')),
    forfeited: major(0 - sumOf('FORFEITED')),
    other: major(sumOf('OTHER')),
    closing: major(opening + total(sums)),
    linesCount: sums.reduce((all, { count }) => all + count, 0),
    lines: lines.map((line) => lineView(line, currency)),
  };
}

const lineView = (line: StatementLine, currency: string): View['lines'][number] => ({
  date: line.at.toISOString(),
  kind: line.kind,
  amount: toMajor(line.minor, currency),
  commissionId: line.commissionId,
  orderNumber: line.orderNumber,
});
