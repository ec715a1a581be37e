import { z } from 'zod';
import { paymentRefund, type PaymentRefundRow } from '../../../db/commerce/refund/payment-refund.reads';
import type { Db } from '../../../db/sql/query';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { Person } from '../person.view';
import { PaymentRefundReasonField } from '../../orders/refund/refund.view';
import { PayoutMethodField } from '../../users/account.view';

export const PaymentRefundStatusField = z
  .enum(['PROCESSING', 'COMPLETED', 'ABANDONED', 'CHARGED_BACK'])
  .meta({
    id: 'PaymentRefundStatus',
    description:
      'The progress of money on its way back. CHARGED_BACK: the buyer has it by a chargeback, so it is not sent.',
  });

const MaskedDestination = z
  .object({
    method: PayoutMethodField,
    maskedDetails: z.string().describe('The last characters of the account or card.'),
  })
  .meta({ id: 'MaskedRefundDestination' });

export const PaymentRefund = z
  .object({
    id: z.uuid().describe('Identifies the refund of a payment; a UUID.'),
    order: z
      .object({ id: z.uuid(), orderNumber: z.string() })
      .nullable()
      .meta({ description: 'The order that the money was paid for; null for anything else.' }),
    participation: z
      .object({
        id: z.uuid(),
        number: z.string().describe('The number of the participation, as people and bank transfers name it.'),
      })
      .nullable()
      .meta({ description: 'The participation that the money was paid for; null for anything else.' }),
    entrance: z
      .object({
        id: z.uuid().describe('Identifies the entrance fee; a UUID.'),
        number: z.string().describe('The number of the participation, as people and bank transfers name it.'),
      })
      .nullable()
      .meta({
        description: 'The entrance fee of a partner that the money was paid for; null for anything else.',
      }),
    topUp: z
      .object({
        id: z.uuid().describe('Identifies the top-up; a UUID.'),
        number: z.string().describe('The number of the participation, as people and bank transfers name it.'),
      })
      .nullable()
      .meta({ description: 'The top-up of a wallet that the money was paid for; null for anything else.' }),
    user: Person.describe('The user whom it belongs to.'),
    status: PaymentRefundStatusField,
    reason: PaymentRefundReasonField,
    amount: z.number(),
    currency: z.string(),
    provider: z.string().meta({ description: 'Who brought the money; `bank`: it came by transfer.' }),
    paymentReference: z.string().meta({ description: 'What the provider or the bank calls that payment.' }),
    refundRequestId: z.uuid().nullable().describe('The refund request; null if there was none.'),
    needsTransfer: z.boolean().meta({
      description:
        'Whether a person has to send it. Never while a dispute of the payment is open: what is lost pays the buyer, so wait for the decision and send nothing.',
    }),
    payoutDetails: MaskedDestination.nullable().meta({
      description:
        'Where the buyer takes money, if they ever said; only while a person has to send some. `GET /admin/payment-refunds/:id` shows it whole.',
    }),
    providerReference: z
      .string()
      .nullable()
      .describe("The provider's id of the refund; null until it has one."),
    settlementReference: z
      .string()
      .nullable()
      .describe("The bank's reference of the transfer; null until it is sent."),
    settledBy: z
      .uuid()
      .nullable()
      .describe('The administrator who recorded that it was sent; null without one.'),
    chargebackId: z.uuid().nullable().meta({
      description: 'The chargeback by which it reached the buyer; stays when that was returned.',
      example: '0199f3a2-7c1e-7b54-9d3f-2a6c8e1b4d70',
    }),
    splitFrom: z.uuid().nullable().meta({
      description: 'The refund of which it was a part, until a chargeback paid one of the two.',
      example: '0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15',
    }),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable().describe('When the money was sent; null until then.'),
  })
  .meta({ id: 'PaymentRefund', description: 'Money on its way back to a buyer.' });

export const paymentRefundView = (refund: PaymentRefundRow): z.output<typeof PaymentRefund> => ({
  id: refund.id,
  order: refund.orderId === null ? null : { id: refund.orderId, orderNumber: refund.number },
  participation:
    refund.participationId === null ? null : { id: refund.participationId, number: refund.number },
  entrance: refund.entranceId === null ? null : { id: refund.entranceId, number: refund.number },
  topUp: refund.topUpId === null ? null : { id: refund.topUpId, number: refund.number },
  user: { id: refund.userId, email: refund.email, name: `${refund.firstName} ${refund.lastName}` },
  status: refund.status,
  reason: refund.reason,
  amount: toMajor(refund.amountMinor, refund.currency),
  currency: refund.currency,
  provider: refund.provider,
  paymentReference: refund.paymentReference,
  refundRequestId: refund.refundRequestId,
  needsTransfer: refund.needsTransfer,
  payoutDetails:
    refund.needsTransfer && refund.payoutMethod !== null
      ? { method: refund.payoutMethod, maskedDetails: refund.payoutMasked ?? '' }
      : null,
  providerReference: refund.providerRefundId,
  settlementReference: refund.settlementReference,
  settledBy: refund.settledBy,
  chargebackId: refund.chargebackId,
  splitFrom: refund.splitFrom,
  createdAt: refund.createdAt.toISOString(),
  completedAt: refund.completedAt?.toISOString() ?? null,
});

/** A refund; refused REFUND_NOT_FOUND when there is none. */
export async function onePaymentRefund(db: Db, id: string): Promise<PaymentRefundRow> {
  const refund = await paymentRefund(db, id);
  if (!refund) throw refusal('REFUND_NOT_FOUND');
  return refund;
}
