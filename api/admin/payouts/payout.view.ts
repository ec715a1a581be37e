import { z } from 'zod';
import {
  administeredPayout,
  type AdministeredPayout,
} from '../../../db/commerce/payout/administered-payout.reads';
import type { Db } from '../../../db/sql/query';
import { toMajor } from '../../../workflows/commerce/money.rules';
import type { PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { noSuchPayout } from '../../../workflows/commerce/payout/payout-refusals';
import { BankFileTransferField } from '../bank-files/bank-file.view';
import { ownPayoutParts, ownPayoutView } from '../../mlm/payouts/payout.view';
import { Person } from '../person.view';

const moment = z.iso.datetime();

const parts = {
  ...ownPayoutParts,
  user: Person.describe('The user whom it belongs to.'),
  externalReference: z.string().nullable().meta({
    description: 'What the provider or the bank calls the transfer; before it has arrived, what was entered.',
    example: 'BANK-2026-2291',
  }),
  provider: z.string().nullable().meta({
    description: 'Who sends it, from PROCESSING on; `bank`: a person.',
    example: 'sandbox',
  }),
  needsTransfer: z.boolean().meta({ description: 'Whether a person has to send it.' }),
  bankFileTransfer: BankFileTransferField,
  lastRefusal: z.string().nullable().meta({
    description: 'Why the last transfer was refused.',
    example: 'The account takes no transfers.',
  }),
  approvedBy: z.uuid().nullable().describe('The administrator who approved it; null before.'),
  approvedAt: moment.nullable().describe('When it was approved; null before.'),
  processedBy: z.uuid().nullable().describe('The administrator who sent it, or had it sent; null before.'),
  processedAt: moment.nullable().describe('When it was last sent; null before.'),
  decidedBy: z
    .uuid()
    .nullable()
    .meta({ description: 'Who rejected or cancelled it; null if a chargeback of a top-up ended it.' }),
  endedAt: moment.nullable().describe('When it was completed, rejected or cancelled; null before.'),
};

export const AdminPayout = z
  .object({
    ...parts,
    partner: z
      .object({ id: z.uuid(), name: z.string(), referralCode: z.string() })
      .describe('The partner whose balance it is paid from.'),
  })
  .meta({ id: 'AdminPayout', description: "A payout of a partner's balance." });

export const AdminWalletWithdrawal = z
  .object(parts)
  .meta({ id: 'AdminWalletWithdrawal', description: 'Money that leaves a wallet.' });

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A payout with all fields; those of a wallet are without the partner. */
export function adminPayoutView(payout: AdministeredPayout): z.output<typeof AdminPayout> {
  const name = `${payout.firstName} ${payout.lastName}`;
  return {
    ...ownPayoutView(payout),
    partner: { id: payout.partnerId ?? '', name, referralCode: payout.referralCode ?? '' },
    user: { id: payout.userId, email: payout.email, name },
    externalReference: payout.transferReference ?? payout.externalReference,
    provider: payout.provider,
    needsTransfer: payout.needsTransfer,
    bankFileTransfer: payout.bankFileTransfer,
    lastRefusal: payout.lastRefusal,
    approvedBy: payout.approvedBy,
    approvedAt: iso(payout.approvedAt),
    processedBy: payout.processedBy,
    processedAt: iso(payout.processedAt),
    decidedBy: payout.decidedBy,
    endedAt: iso(payout.endedAt),
  };
}

/** The amount as cells of a file need it. */
export const amountOf = ({ amountMinor, currency }: AdministeredPayout): string =>
  String(toMajor(amountMinor, currency));

/** A payout of a kind; refused PAYOUT_NOT_FOUND or WITHDRAWAL_NOT_FOUND when there is none. */
export async function onePayout(db: Db, kind: PayoutKind, id: string): Promise<AdministeredPayout> {
  const payout = await administeredPayout(db, kind, id);
  if (!payout) throw noSuchPayout(kind);
  return payout;
}
