import { z } from 'zod';
import type {
  DifferenceRow,
  ProviderStanding,
} from '../../../../db/investment/reconciliation/investment-difference.reads';
import { OwedField, owedView } from '../../providers/payments/payment.view';
import { MAX_AMOUNT_MINOR, toMajor } from '../../../../workflows/commerce/money.rules';
import { DIFFERENCE_KINDS } from '../../../../workflows/investment/reconciliation/difference.rules';
import { idOf } from '../../../http/request/ids/id-of';

export const DifferenceKindField = z.enum(DIFFERENCE_KINDS).meta({
  id: 'InvestmentDifferenceKind',
  description:
    'NOT_REPORTED: it runs here, and its provider has not confirmed it. PRINCIPAL_DIFFERS, PROFITS_DIFFER, WITHDRAWAL_DIFFERS: other amounts were reported than are held. UNKNOWN_HERE: an investment that no participation is.',
});

/** OPEN: a person has to look at it. ACCEPTED: one has said that it stays as it is. RESOLVED: it is gone. */
export const DIFFERENCE_STATES = ['OPEN', 'ACCEPTED', 'RESOLVED'] as const;

/** The path parameters of one difference. */
export const oneDifference = z.object({ id: idOf('investment difference') });

export const InvestmentDifferenceView = z
  .object({
    id: z.uuid().describe('Identifies the difference; a UUID.'),
    kind: DifferenceKindField,
    state: z.enum(DIFFERENCE_STATES).meta({
      description:
        'ACCEPTED: a person has said that it stays as it is; it opens again if what it comes to changes.',
    }),
    providerCode: z.string().describe('The code of the provider.'),
    participation: z
      .object({
        id: z.uuid(),
        number: z.string().describe('The number of the participation, as people and bank transfers name it.'),
      })
      .nullable()
      .describe('The participation that it is about; null if it is about none.'),
    investmentExternalId: z.string().nullable().meta({ description: 'The provider’s id of the investment.' }),
    held: z
      .number()
      .nullable()
      .meta({ description: 'The amount here; null where there is none to compare.' }),
    reported: z.number().nullable().meta({ description: 'The amount that the provider reported.' }),
    currency: z.string().nullable(),
    foundAt: z.iso.datetime().describe('When it was seen first.'),
    lastSeenAt: z.iso.datetime().describe('When it was seen last.'),
    resolvedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was gone; null while it is there.' }),
    accepted: z
      .object({
        at: z.iso.datetime().meta({ description: 'When it was accepted.' }),
        by: z.uuid().meta({ description: 'The administrator who accepted it.' }),
        reason: z.string().meta({ example: 'The provider reported it by mistake and cannot take it back.' }),
      })
      .nullable()
      .meta({ description: 'Null unless an administrator has accepted it as it is.' }),
  })
  .meta({
    id: 'InvestmentDifference',
    description: 'A difference between what a provider reported and what is held.',
  });

export const ProviderStandingView = z
  .object({
    code: z.string().describe('The code of the provider.'),
    owes: OwedField,
    kycSync: z
      .object({
        slot: z.string().describe('The time of the plan for which it was made.'),
        startedAt: z.iso.datetime().describe('When the push began.'),
        endedAt: z.iso.datetime().nullable().describe('When the push ended; null while it runs.'),
        accepted: z.number().int().describe('How many users it accepted.'),
        refused: z.number().int().describe('How many users it did not accept.'),
        problem: z.string().nullable().meta({ description: 'Why some users were not accepted.' }),
        completedAt: z.iso.datetime().nullable().meta({
          description:
            'The end of the last push in which it was told of everybody: each was accepted, or refused alone.',
        }),
      })
      .nullable()
      .meta({ description: 'The last push of identity verifications to it; null before the first.' }),
  })
  .meta({ id: 'ProviderStanding', description: 'How matters stand with an investment provider.' });

/** A sum, or the largest that can be shown. */
const shown = (minor: number): number => Math.max(-MAX_AMOUNT_MINOR, Math.min(MAX_AMOUNT_MINOR, minor));

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

function stateOf({ resolvedAt, acceptedAt }: DifferenceRow): (typeof DIFFERENCE_STATES)[number] {
  if (resolvedAt !== null) return 'RESOLVED';
  return acceptedAt === null ? 'OPEN' : 'ACCEPTED';
}

export function differenceView(row: DifferenceRow): z.output<typeof InvestmentDifferenceView> {
  const { id, kind, providerCode, participationId, number, currency, foundAt, lastSeenAt, resolvedAt } = row;
  const { acceptedAt, acceptedBy, acceptedBecause } = row;
  const major = (minor: number | null): number | null =>
    minor === null || currency === null ? null : toMajor(shown(minor), currency);
  return {
    ...{
      id,
      kind,
      state: stateOf(row),
      providerCode,
      currency,
      investmentExternalId: row.investmentExternalId,
    },
    participation: participationId === null || number === null ? null : { id: participationId, number },
    held: major(row.heldMinor),
    reported: major(row.reportedMinor),
    ...{ foundAt: foundAt.toISOString(), lastSeenAt: lastSeenAt.toISOString(), resolvedAt: iso(resolvedAt) },
    accepted:
      acceptedAt === null || acceptedBy === null || acceptedBecause === null
        ? null
        : { at: acceptedAt.toISOString(), by: acceptedBy, reason: acceptedBecause },
  };
}

export const standingView = ({
  code,
  debts,
  sync,
}: ProviderStanding): z.output<typeof ProviderStandingView> => ({
  code,
  owes: owedView(debts),
  kycSync: sync && {
    ...{ slot: sync.slot, accepted: sync.accepted, refused: sync.refused, problem: sync.problem },
    ...{
      startedAt: sync.startedAt.toISOString(),
      endedAt: iso(sync.endedAt),
      completedAt: iso(sync.completedAt),
    },
  },
});
