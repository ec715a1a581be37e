import { z } from 'zod';
import { payableOfPurpose } from '../../../db/commerce/bank-transfer/payable-of-purpose.reads';
import { orderStates } from '../../../workflows/commerce/order/order.states';
import { idOf, kindOf } from '../../../workflows/commerce/payable/payable.rules';
import { transferOutcome } from '../../../workflows/commerce/payment-event/bank-transfer.contract';
import { refusal } from '../../../workflows/errors';
import { participationStates } from '../../../workflows/investment/participation/participation.states';
import { entranceStates } from '../../../workflows/partners/membership/entrance.states';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { bankReference } from '../../http/request/fields';
import { enterTransfer, TransferBody } from '../enter-transfer';
import { identifying } from '../../http/request/ids/identified';
import { TransferOutcomeField } from '../outcomes.view';

const KINDS = {
  order: 'ORDER',
  participation: 'PARTICIPATION',
  entrance: 'ENTRANCE',
  topUp: 'TOP_UP',
} as const;

/** A top-up has the statuses of an entrance fee. */
const STATUSES = [
  ...new Set([...orderStates.names, ...participationStates.names, ...entranceStates.names]),
] as const;

export const enterBankTransfer = endpoint({
  id: 'enterBankTransfer',
  returns: 'What the transfer is for, and whether it pays that or is returned',
  method: 'post',
  path: '/admin/bank-transfers',
  summary: 'Enter a bank transfer by its purpose',
  description:
    'For money seen on the bank account. The purpose says what it pays: an order, a participation, an entrance fee or a ' +
    'top-up. It pays one that waits for payment, whichever method was requested; any other money is recorded and sent ' +
    'back. An amount other than the one due is refused, or sent back with `onMismatch: "RETURN"`. A bank reference, ' +
    'however its letters, dashes and blanks are written, is recorded once; for the same subject again it changes nothing.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  body: TransferBody.extend({
    purpose: identifying(bankReference({ max: 200 }), 'payment purpose').meta({
      description:
        'The purpose that the payer was given, as the bank shows it: letters and blanks do not matter.',
      example: 'INV-2026-00000012',
    }),
  }),
  example: {
    purpose: 'INV-2026-00000012',
    amount: 1_000,
    transactionId: 'BANK-2026-1191',
  },
  success: 200,
  data: z
    .object({
      subject: z
        .object({
          kind: z.enum(KINDS).meta({ description: 'The kind of it.' }),
          id: z.uuid().describe('Identifies the thing that is paid; a UUID.'),
        })
        .meta({ description: 'What the transfer is for.' }),
      status: z.enum(STATUSES).meta({ description: 'Its status now, one of those of its kind.' }),
      outcome: TransferOutcomeField,
    })
    .meta({ id: 'EnteredBankTransfer' }),
  errors: { PAYMENT_NOT_FOUND: 404, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ body: { purpose, ...body } }, context) {
    const payable = await payableOfPurpose(context.db, purpose);
    if (!payable) throw refusal('PAYMENT_NOT_FOUND');
    const { ref } = payable;
    const { status, outcome } = await enterTransfer(context, ref, payable, body, transferOutcome);
    return { subject: { kind: KINDS[kindOf(ref)], id: idOf(ref) }, status, outcome };
  },
});
