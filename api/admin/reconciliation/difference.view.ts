import { z } from 'zod';
import type { DifferenceRow } from '../../../db/commerce/reconciliation/reconciliation.reads';
import { figureInMajor } from '../../../workflows/commerce/money.rules';
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_STATUSES,
  MOVEMENT_KINDS,
} from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { DayField, STATEMENT_PROVIDERS } from './run.view';

export const DifferenceKindField = z.enum(DIFFERENCE_KINDS).meta({
  id: 'ReconciliationDifferenceKind',
  description:
    'MISSING_HERE: only the provider knows it. MISSING_THERE: only we do. AMOUNT, CURRENCY: the two say different things. TWICE: two on one side are one on the other. CLEARING: our clearing account does not hold what our movements of the day come to.',
});

/** Reports of the bank on its files are not compared day by day, but may contradict themselves. */
export const DifferingProviderField = z.enum([...STATEMENT_PROVIDERS, 'bank-file']).meta({
  id: 'DifferingProvider',
  description:
    'A payment provider whose statement is compared with ours, or `bank-file`, whose reports on our files may contradict themselves.',
});

const Money = z
  .object({ amount: z.number(), currency: z.string() })
  .nullable()
  .meta({ id: 'ReconciledAmount' });

export const ReconciliationDifferenceView = z
  .object({
    id: z.uuid(),
    runId: z.uuid().nullable().meta({
      description:
        'The run that found it first; null where a report on a bank file shows it, or a look-up of a transfer.',
    }),
    provider: z.string().meta({ description: 'The payment provider.', example: 'sandbox' }),
    day: DayField,
    kind: DifferenceKindField,
    movementKind: z
      .enum(MOVEMENT_KINDS)
      .nullable()
      .meta({ description: 'What moved the money; null of CLEARING.' }),
    providerId: z.string().nullable().meta({ description: 'The provider’s id of the movement.' }),
    ourId: z.string().nullable().meta({
      description:
        'The id of our capture, refund, chargeback, payout or withdrawal; of CLEARING the day and currency.',
    }),
    ours: Money.meta({
      description: 'The amount here; of CLEARING what is booked on the clearing account that day.',
    }),
    theirs: Money.meta({
      description: 'The amount there; of CLEARING what our movements of that day come to.',
    }),
    status: z.enum(DIFFERENCE_STATUSES).meta({ description: 'OPEN until it is gone or explained.' }),
    foundAt: z.iso.datetime().describe('When it was seen first.'),
    lastSeenAt: z.iso.datetime().describe('When it was seen last.'),
    resolvedAt: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
    resolvedBy: z.uuid().nullable().meta({
      description:
        'The administrator who explained it; null while it is open, and when it was gone by itself.',
    }),
    note: z.string().nullable().meta({ description: 'The explanation of an administrator.' }),
  })
  .meta({
    id: 'ReconciliationDifference',
    description: 'A difference between a provider’s statement and ours.',
  });

const money = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? null : { amount: figureInMajor(minor, currency), currency };

export const differenceView = (row: DifferenceRow): z.input<typeof ReconciliationDifferenceView> => ({
  id: row.id,
  runId: row.runId,
  provider: row.provider,
  day: row.day,
  kind: row.kind,
  movementKind: row.movementKind,
  providerId: row.providerId,
  ourId: row.ourId,
  ours: money(row.ourMinor, row.ourCurrency),
  theirs: money(row.theirMinor, row.theirCurrency),
  status: row.resolvedAt === null ? 'OPEN' : 'RESOLVED',
  foundAt: row.foundAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
  resolvedBy: row.resolvedBy,
  note: row.note,
});
