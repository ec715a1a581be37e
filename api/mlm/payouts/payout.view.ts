import { z } from 'zod';
import { PAYOUT_KINDS } from '../../../workflows/commerce/payout/payout.rules';
import type { OwnPayout } from '../../../db/commerce/payout/payout.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { payoutStates } from '../../../workflows/commerce/payout/payout.states';
import { PayoutMethodField } from '../../users/account.view';

export const PayoutKindField = z.enum(PAYOUT_KINDS).meta({
  id: 'PayoutKind',
  description: 'The balance that a payout is paid from: that of a partner, or the wallet.',
});

export const PayoutStatusField = z.enum(payoutStates.names).meta({
  id: 'PayoutStatus',
  description:
    'The progress of a payout. PROCESSING: the money may be on its way; a certain refusal makes it APPROVED again.',
});

/** The kind of account that the money goes to, and its masked form. */
const Destination = z
  .object({
    type: PayoutMethodField.describe('The kind of account that the money goes to.'),
    maskedDetails: z
      .string()
      .meta({ description: 'The last characters of the account or card.', example: '•••• 3000' }),
  })
  .meta({ id: 'PayoutDestination' });

const moment = z.iso.datetime();

/** The parts of a payout that its owner sees. */
export const ownPayoutParts = {
  id: z.uuid(),
  amount: z.number(),
  currency: z.string(),
  method: Destination.describe('Where it goes.'),
  status: PayoutStatusField,
  rejectionReason: z
    .string()
    .nullable()
    .meta({ description: 'The words of the administrator who rejected or cancelled it.' }),
  fundsReturned: z.boolean().nullable().meta({
    description: 'Whether the money of a rejected or cancelled one is back; false: it is forfeited.',
  }),
  createdAt: moment,
  completedAt: moment.nullable().describe('When the money was sent; null until then.'),
};

export const Payout = z
  .object(ownPayoutParts)
  .meta({ id: 'Payout', description: 'Money from a balance of the caller to their account.' });

export const ownPayoutView = (payout: OwnPayout): z.output<typeof Payout> => ({
  id: payout.id,
  amount: toMajor(payout.amountMinor, payout.currency),
  currency: payout.currency,
  method: { type: payout.method, maskedDetails: payout.maskedDetails },
  status: payout.status,
  rejectionReason: payout.rejectionReason,
  fundsReturned: payout.fundsReturned,
  createdAt: payout.createdAt.toISOString(),
  completedAt: payout.status === 'COMPLETED' ? (payout.endedAt?.toISOString() ?? null) : null,
});
