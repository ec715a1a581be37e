import { z } from 'zod';
import { topUpById } from '../../../db/ledger/top-up/top-up.reads';
import { topUpTransferOutcome } from '../../../workflows/commerce/payment/bank-transfer.contract';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { topUpReference } from '../../http/request/references';
import { TopUpPaymentStatusField, TopUpStatusField } from '../../users/balance/top-ups/top-up.view';
import { enterTransfer, TransferBody } from '../enter-transfer';

export const confirmTopUpPayment = endpoint({
  method: 'post',
  path: '/admin/top-ups/:id/payment',
  summary: 'Enter a bank transfer for a top-up',
  description:
    'For money seen on the bank account. It pays a top-up that waits for payment, whichever method was requested, into the ' +
    'wallet of its user; any other money is recorded and sent back. An amount other than that of the top-up is refused, or ' +
    'sent back with `onMismatch: "RETURN"`. A bank reference is recorded once; for the same top-up again it changes nothing.',
  tag: 'Administration: top-ups',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: topUpReference() }),
  body: TransferBody,
  success: 200,
  data: z
    .object({
      topUpId: z.uuid(),
      status: TopUpStatusField,
      paymentStatus: TopUpPaymentStatusField,
      outcome: z.enum(['APPLIED', 'RETURNED']),
    })
    .meta({ id: 'ConfirmedTopUpPayment' }),
  errors: { TOP_UP_NOT_FOUND: 404, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body }, context) {
    const topUp = await topUpById(context.db, id);
    if (!topUp) throw refusal('TOP_UP_NOT_FOUND', 'No such top-up.');
    const confirmed = await enterTransfer(context, { topUpId: id }, topUp, body, topUpTransferOutcome);
    return { topUpId: id, ...confirmed };
  },
});
