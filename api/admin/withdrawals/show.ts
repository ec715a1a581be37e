import { z } from 'zod';
import { openDestination } from '../../../db/commerce/payout/destination';
import { sealPurposes } from '../../../db/sealing/purposes';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { perMinute } from '../../http/limits/limits';
import { PayoutDetails } from '../../users/payout-details';
import { recordDestinationRead } from './read-destination.command';
import { AdminWithdrawal, oneWithdrawal, withdrawalView } from './withdrawal.view';
import { idOf } from '../../http/request/ids/id-of';

const Withdrawal = AdminWithdrawal.extend({
  payoutDetails: PayoutDetails.nullable().meta({
    description:
      'Whole, for the transfer; only while a person has to send the money. Null also when it cannot be read.',
  }),
}).meta({ id: 'WithdrawalToSend' });

export const showWithdrawal = endpoint({
  id: 'getWithdrawal',
  returns: 'The withdrawal, and where to send it',
  method: 'get',
  path: '/admin/withdrawals/:id',
  summary: 'One withdrawal, with where to send it',
  description: 'Each read of where money goes is recorded in the audit log.',
  tag: 'Administration: withdrawals',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('withdrawal') }),
  success: 200,
  data: Withdrawal,
  errors: { WITHDRAWAL_NOT_FOUND: 404, FORBIDDEN: 403 },

  async handle({ params: { id } }, context) {
    const { caller, db, request } = context;
    const withdrawal = await oneWithdrawal(db, id);
    const view = withdrawalView(withdrawal);
    if (!withdrawal.needsTransfer || withdrawal.details === null) return { ...view, payoutDetails: null };
    const { clientAddress } = request;
    await recordDestinationRead(db, withdrawal, { actorId: caller.id, clientAddress });
    return { ...view, payoutDetails: destinationOf(withdrawal.details, id, context) };
  },
});

/** The destination of the money; null when its key is no longer on the ring. */
function destinationOf(sealed: Buffer, id: string, { identity, log }: Context) {
  try {
    return PayoutDetails.parse(
      openDestination(identity.sealing, sealPurposes.investmentWithdrawal(id), sealed),
    );
  } catch (error) {
    log.error({ err: error, withdrawalId: id }, 'the destination of a withdrawal could not be opened');
    return null;
  }
}
