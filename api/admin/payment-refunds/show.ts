import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { perMinute } from '../../http/limits/limits';
import { opened, PayoutDetails } from '../../users/payout-details';
import { onePaymentRefund, PaymentRefund, paymentRefundView } from './payment-refund.view';
import { recordDestinationRead } from './read-destination.command';
import { idOf } from '../../http/request/ids/id-of';

const Refund = PaymentRefund.omit({ payoutDetails: true })
  .extend({
    payoutDetails: PayoutDetails.nullable().meta({
      description:
        'Whole, for the transfer; only while a person has to send the money. Null also when it cannot be read.',
    }),
  })
  .meta({ id: 'PaymentRefundToSend' });

export const showPaymentRefund = endpoint({
  id: 'getPaymentRefund',
  returns: 'The refund, and where to send it',
  method: 'get',
  path: '/admin/payment-refunds/:id',
  summary: 'One refund, with where to send it',
  description: 'Each read of where a buyer takes money is recorded in the audit log.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('payment refund') }),
  success: 200,
  data: Refund,
  errors: { REFUND_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id } }, context) {
    const { caller, db, request } = context;
    const refund = await onePaymentRefund(db, id);
    const view = paymentRefundView(refund);
    if (!refund.needsTransfer || refund.payoutSealed === null) return { ...view, payoutDetails: null };
    const { clientAddress } = request;
    await recordDestinationRead(db, refund, { actorId: caller.id, clientAddress });
    return { ...view, payoutDetails: destinationOf(refund.payoutSealed, refund.userId, context) };
  },
});

/** The buyer's payout details; null when their key is no longer on the ring, so that the buyer has to enter them again. */
function destinationOf(payoutSealed: Buffer, userId: string, { identity, log }: Context) {
  try {
    return opened(payoutSealed, userId, identity.sealing);
  } catch (error) {
    log.error({ err: error, userId }, 'payout details could not be opened');
    return null;
  }
}
