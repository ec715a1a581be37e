import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { bankReference } from '../../http/request/fields';
import { settleWithdrawalByHand } from './settle-by-hand';
import { AdminWithdrawal, withdrawalView } from './withdrawal.view';
import { idOf } from '../../http/request/ids/id-of';
import { SettlementOutcomeField } from '../outcomes.view';

export const settleWithdrawal = endpoint({
  id: 'settleWithdrawal',
  returns: 'The withdrawal, which is over',
  method: 'post',
  path: '/admin/withdrawals/:id/settle',
  summary: 'Record that a withdrawal was sent by hand',
  description:
    'The money was sent from our bank account, or the bank refused the transfer, and it goes to the balance of its owner instead. One that is in a bank file: CANNOT_SETTLE until the report of the bank is entered, or the file is withdrawn. Where a provider sends it, the provider is asked: DONE only if it says that the money has arrived, REFUSED only if it says that it never will; one that was asked so long ago that it cannot say any more is settled as its statement says; else CANNOT_SETTLE. The owner gets an email.',
  tag: 'Administration: withdrawals',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('withdrawal', 'PROCESSING') }),
  body: z.object({
    reference: bankReference({ max: 200 }).meta({
      description: 'What the bank calls the transfer; of one withdrawal only.',
      example: 'BANK-2026-2291',
    }),
    outcome: SettlementOutcomeField.default('DONE').meta({
      description: 'REFUSED: the bank refused the transfer, or returned it.',
    }),
  }),
  success: 200,
  data: AdminWithdrawal,
  errors: { WITHDRAWAL_NOT_FOUND: 404, ALREADY_SETTLED: 409, CANNOT_SETTLE: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body: { reference, outcome } }, context) {
    return withdrawalView(await settleWithdrawalByHand(context, { id, reference, outcome }));
  },
});
