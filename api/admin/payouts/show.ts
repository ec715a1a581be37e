import { openDestination } from '../../../db/commerce/payout/destination';
import { sealPurposes } from '../../../db/sealing/purposes';
import { endpoint, type Endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { perMinute } from '../../http/limits/limits';
import { PayoutDetails } from '../../users/payout-details';
import { actorOf } from '../actor';
import type { PayoutDesk } from './desk';
import { adminPayoutView, AdminPayout, AdminWalletWithdrawal, onePayout } from './payout.view';
import { recordDestinationRead } from './reading.command';

const payoutDetails = PayoutDetails.nullable().meta({
  description:
    'Whole, for the transfer; only while a person has to send the money. Null also when it cannot be read.',
});

const SCHEMAS = {
  PARTNER: AdminPayout.extend({ payoutDetails }).meta({ id: 'PayoutToSend' }),
  WALLET: AdminWalletWithdrawal.extend({ payoutDetails }).meta({ id: 'WalletWithdrawalToSend' }),
};

export const showPayout = (desk: PayoutDesk): Endpoint => {
  const { kind, tag, noun, notFound } = desk;
  return endpoint({
    ...desk.show,
    summary: `Show a ${noun}`,
    description: 'With where to send it. Each read of where money goes is recorded in the audit log.',
    tag,
    auth: 'admin',
    limit: perMinute(200),

    params: desk.one(),
    success: 200,
    data: SCHEMAS[kind],
    errors: { ...notFound, FORBIDDEN: 403 },

    async handle({ params: { id } }, context) {
      const payout = await onePayout(context.db, kind, id);
      const view = adminPayoutView(payout);
      if (!payout.needsTransfer || payout.details === null) return { ...view, payoutDetails: null };
      await recordDestinationRead(context.db, payout, actorOf(context));
      return { ...view, payoutDetails: destinationOf(payout.details, id, context) };
    },
  });
};

/** The destination of the money; null when its key is no longer on the ring. */
function destinationOf(sealed: Buffer, id: string, { identity, log }: Context) {
  try {
    return PayoutDetails.parse(openDestination(identity.sealing, sealPurposes.payoutDestination(id), sealed));
  } catch (error) {
    log.error({ err: error, payoutId: id }, 'the destination of a payout could not be opened');
    return null;
  }
}
