import { z } from 'zod';
import { entranceById } from '../../../../db/partners/membership/entrance.reads';
import { entranceTransferOutcome } from '../../../../workflows/commerce/payment/bank-transfer.contract';
import { refusal } from '../../../../workflows/errors';
import { entranceStates } from '../../../../workflows/partners/membership/entrance.states';
import { ENTRANCE_PAYMENT_STATUSES } from '../../../../workflows/partners/membership/membership.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { entranceReference } from '../../../http/request/references';
import { enterTransfer, TransferBody } from '../../enter-transfer';

export const confirmEntrancePayment = endpoint({
  method: 'post',
  path: '/admin/partner-entrances/:id/payment',
  summary: 'Enter a bank transfer for an entrance fee',
  description:
    'For money seen on the bank account. It pays an entrance fee that waits for payment, whichever method was requested, ' +
    'and makes its user a partner; any other money is recorded and sent back. An amount other than the fee is refused, or ' +
    'sent back with `onMismatch: "RETURN"`. A bank reference is recorded once; for the same entrance fee again it changes ' +
    'nothing.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: entranceReference() }),
  body: TransferBody,
  success: 200,
  data: z
    .object({
      entranceId: z.uuid(),
      status: z.enum(entranceStates.names),
      paymentStatus: z.enum(ENTRANCE_PAYMENT_STATUSES),
      outcome: z.enum(['APPLIED', 'RETURNED']),
    })
    .meta({ id: 'ConfirmedEntrancePayment' }),
  errors: { ENTRANCE_NOT_FOUND: 404, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body }, context) {
    const entrance = await entranceById(context.db, id);
    if (!entrance) throw refusal('ENTRANCE_NOT_FOUND', 'No such entrance fee.');
    const confirmed = await enterTransfer(
      context,
      { entranceId: id },
      entrance,
      body,
      entranceTransferOutcome,
    );
    return { entranceId: id, ...confirmed };
  },
});
