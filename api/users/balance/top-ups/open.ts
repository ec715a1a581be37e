import { z } from 'zod';
import { topUpById, topUpNumber } from '../../../../db/ledger/top-up/top-up.reads';
import { PLATFORM_CURRENCY, toMinor } from '../../../../workflows/commerce/money.rules';
import { moneyLabel } from '../../../../workflows/commerce/order/order-label.rules';
import { openTopUp, topUpProcess } from '../../../../workflows/ledger/top-up/top-up.contract';
import { requireTopUpAmount } from '../../../../workflows/ledger/top-up/require-top-up-amount';
import { endpoint } from '../../../http/endpoint';
import { financialPerMinute } from '../../../http/limits/limits';
import { money } from '../../../http/request/fields';
import { topUpPaymentView, TopUpMethodField, TopUpPayment } from './top-up.view';

export const topUpBalance = endpoint({
  id: 'topUpBalance',
  returns: 'The top-up, and the way to pay it',
  method: 'post',
  path: '/users/me/balance/top-up',
  summary: 'Pay money into my wallet',
  description:
    'The money is in the wallet when it is paid: within 30 minutes by card or e-wallet, within 72 hours by bank transfer. Without payment the top-up is cancelled. From 10 to 10,000 at once unless the platform is set otherwise; only a few may wait for their payment at the same time. VALIDATION_ERROR with the reason AMOUNT_NOT_PAYABLE: the provider of the method does not take such an amount; PAYMENT_REFUSED: it does not take this payment, and the top-up is cancelled.',
  tag: 'Account',
  auth: 'user',
  limit: financialPerMinute(3),

  body: z.object({
    amount: money({ min: 0.01 }).meta({ description: 'In the currency of the platform.', example: 100 }),
    paymentMethod: TopUpMethodField,
  }),
  success: 201,
  data: z
    .object({
      topUpId: z.uuid().describe('The top-up that it is about.'),
      payment: TopUpPayment.nullable().meta({
        description: 'The way to pay it; null when a repeated request finds that it no longer waits.',
      }),
    })
    .meta({ id: 'OpenedTopUp' }),
  errors: { FORBIDDEN: 403 },

  async handle({ body: { amount, paymentMethod } }, { db, caller, mint, policy, processes, request }) {
    const currency = PLATFORM_CURRENCY;
    const asked = { amountMinor: toMinor(amount, currency), currency };
    requireTopUpAmount(asked, policy);
    const { 'top-up': topUpId, attempt: attemptId } = await mint('top-up', 'attempt');
    const number = await topUpNumber(db, topUpId);
    const opened = await processes.open(
      topUpProcess,
      { topUpId, userId: caller.id, number, label: moneyLabel({ number, ...asked }) },
      openTopUp,
      { ...asked, paymentMethod, attemptId },
      { updateId: request.idempotencyId },
    );
    // A repetition is answered what was answered first: it may have been paid, or cancelled, since.
    const { status = opened.standing.status } = (await topUpById(db, topUpId)) ?? {};
    const isWaiting = status === 'PENDING_PAYMENT';
    return { topUpId, payment: opened.payment && isWaiting ? topUpPaymentView(opened.payment) : null };
  },
});
