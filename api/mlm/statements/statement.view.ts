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
    'EARNED: a commission. TAKEN_BACK: by a refund. ADJUSTED: by an administrator. SPENT: in an order. RETURNED: of an order. PAID: paid out, or returned of that. OTHER: a correction by hand.',
});

const figure = (description: string) => z.number().meta({ description });

export const CommissionStatement = z
  .object({
    period: z.string(),
    currency: z.string(),
    opening: figure('Pending and available at the beginning of the month.'),
    earned: figure('Commissions of the month.'),
    takenBack: figure('By refunds; below zero.'),
    adjusted: figure('By administrators.'),
    spent: figure('In orders; below zero.'),
    returned: figure('Of orders that were cancelled or refunded.'),
    paid: figure('Paid out; below zero.'),
    other: figure('Corrections by hand.'),
    closing: figure('Pending and available at the end of the month, or now: `opening` with all of these.'),
    linesCount: z.int().meta({ description: 'All lines; the file has every one.' }),
    lines: z
      .array(
        z.object({
          date: z.iso.datetime(),
          kind: StatementKindField,
          amount: z.number(),
          commissionId: z.uuid().nullable(),
          orderNumber: z.string().nullable(),
        }),
      )
      .meta({ description: `The first ${MOST_LINES}, in the order of time.` }),
  })
  .meta({ id: 'CommissionStatement' });
type View = z.input<typeof CommissionStatement>;

/** The statement of a month: `closing` is computed of the same sums that it shows. */
export async function statementView(db: Db, owner: StatementOwner, ofPeriod: string): Promise<View> {
  const time = monthOf(ofPeriod);
  const opening = await openingMinor(db, owner, time);
  const sums = await statementSums(db, owner, time);
  const lines = await statementLines(db, owner, time, null, MOST_LINES);
  const { currency } = owner;
  const sumOf = (kind: StatementKind): number => sums.find((sum) => sum.kind === kind)?.minor ?? 0;
  const major = (minor: number): number => figureInMajor(minor, currency);
  return {
    period: ofPeriod,
    currency,
    opening: major(opening),
    earned: major(sumOf('EARNED')),
    takenBack: major(sumOf('TAKEN_BACK')),
    adjusted: major(sumOf('ADJUSTED')),
    spent: major(sumOf('SPENT')),
    returned: major(sumOf('RETURNED')),
    paid: major(sumOf('PAID')),
    other: major(sumOf('OTHER')),
    closing: major(sums.reduce((total, { minor }) => total + minor, opening)),
    linesCount: sums.reduce((total, { count }) => total + count, 0),
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
