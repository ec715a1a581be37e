import { z } from 'zod';
import { parkedState } from '../../../db/administration/operations/parking.reads';
import { refusalOf } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { bankReference, money } from '../../http/request/fields';
import { noSuchOperation, parkedProcess } from './decision';
import { asOperation, handSettlementOf } from './hand-settlement';
import { SettlementOutcomeField } from '../outcomes.view';

const OutcomeField = SettlementOutcomeField.meta({
  description: 'DONE: the money was sent. REFUSED: the bank refused the transfer, or returned it.',
});

export const settleOperation = endpoint({
  id: 'settleOperation',
  returns: 'What became of the money',
  method: 'post',
  path: '/admin/operations/:workflowId/settle',
  summary: 'Record what became of money that a person moves by hand',
  description:
    'Of a refund, a payout, a withdrawal from a wallet or of an investment that waits for a transfer from our bank account, whether it is parked or not. The same as settling it under its own path, with the same refusals. REFUSED makes a payout APPROVED again, and puts the money of an investment into the wallet. CANNOT_SETTLE with the reason NOTHING_SENT_BY_HAND: this process moves no money by hand; with REFUND_STAYS_OWED: a refund that the bank refused has to be sent again.',
  tag: 'Administration: operations',
  auth: 'admin',
  limit: perMinute(200),

  params: parkedProcess('BY_HAND'),
  body: z
    .object({
      outcome: OutcomeField,
      reference: bankReference({ max: 200 }).meta({
        description: 'What the bank calls the transfer; of one payment only.',
        example: 'BANK-2026-2291',
      }),
      amount: money({ min: 0.01 }).optional().meta({
        description:
          'What was sent; of a refund only. It must be what the refund is of now: a lost chargeback may have paid a part of it since it was read.',
        example: 59.5,
      }),
    })
    .meta({ id: 'SettleOperationRequest' }),
  success: 200,
  data: z
    .object({
      workflowId: z.string().describe('The id of the process.'),
      outcome: OutcomeField,
      status: z.string().meta({
        description: 'The status of the refund, the payout or the withdrawal now.',
        example: 'COMPLETED',
      }),
      settledBy: z.uuid().describe('The administrator who recorded that it was sent.'),
    })
    .meta({ id: 'SettledOperation' }),
  errors: {
    FORBIDDEN: 403,
    OPERATION_NOT_FOUND: 404,
    ALREADY_SETTLED: 409,
    NOT_PROCESSING: 400,
    CANNOT_SETTLE: 400,
  },

  async handle({ params: { workflowId }, body }, context) {
    const found = handSettlementOf(workflowId);
    if (!found) {
      if ((await parkedState(context.db, workflowId)) === null) throw noSuchOperation();
      throw refusalOf({
        code: 'CANNOT_SETTLE',
        message: 'This operation moves no money by hand. Retry or abandon it.',
        reason: 'NOTHING_SENT_BY_HAND',
      });
    }
    try {
      const { status } = await found.settle(context, { id: found.id, ...body });
      return { workflowId, outcome: body.outcome, status, settledBy: context.caller.id };
    } catch (error) {
      throw asOperation(error);
    }
  },
});
