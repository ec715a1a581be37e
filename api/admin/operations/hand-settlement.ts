import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import { refusal, refusalIn, refusalOf } from '../../../workflows/errors';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';
import type { Context } from '../../http/handler-context';
import { refundOfAnother, settleRefundByHand } from '../payment-refunds/settle-by-hand';
import { completeByHand } from '../payouts/decisions/complete-by-hand';
import { payoutDesk, walletDesk, type PayoutDesk } from '../payouts/desk';
import { settleWithdrawalByHand } from '../withdrawals/settle-by-hand';
import { noSuchOperation } from './decision';

/** The report of a person about money that was to be sent by hand. */
export interface HandSettlement {
  id: string;
  outcome: 'DONE' | 'REFUSED';
  reference: string;
  /** The amount that was sent, in major units; of a refund only. */
  amount?: number | undefined;
}

type Settle = (context: Context<'admin'>, settlement: HandSettlement) => Promise<{ status: string }>;

const settlePayout =
  (desk: PayoutDesk): Settle =>
  (context, { id, outcome, reference }) =>
    completeByHand(context, desk, { id, outcome, externalReference: reference });

/** A refund is never refused for good: its buyer is owed the money until it is sent. */
const settleRefund: Settle = async (context, { id, outcome, reference, amount }) => {
  if (outcome === 'DONE') return settleRefundByHand(context, { id, reference, amount });
  await refundOfAnother(context.db, id, context.caller.id);
  throw refusalOf({
    code: 'CANNOT_SETTLE',
    message: 'A refund that the bank refused stays owed. Send it again, and settle it then.',
    reason: 'REFUND_STAYS_OWED',
  });
};

/** An amount that nobody compares would seem to have been checked. */
const withoutAmount =
  (settle: Settle): Settle =>
  async (context, { amount, ...settlement }) => {
    if (amount !== undefined)
      throw refusal('VALIDATION_ERROR', 'Only the amount of a refund can change before it is settled.', {
        amount: ['must be left out, except for a refund'],
      });
    return settle(context, settlement);
  };

/** The processes that wait for money moved by hand, by the id of each, and the use case that settles it. */
const BY_HAND: readonly { workflowIdOf: (id: string) => string; settle: Settle }[] = [
  { workflowIdOf: (refundId) => paymentRefundProcess.id({ refundId }), settle: settleRefund },
  {
    workflowIdOf: (payoutId) => payoutProcess.id({ payoutId }),
    settle: withoutAmount(settlePayout(payoutDesk)),
  },
  {
    workflowIdOf: (payoutId) => walletWithdrawalProcess.id({ payoutId }),
    settle: withoutAmount(settlePayout(walletDesk)),
  },
  {
    workflowIdOf: (withdrawalId) => withdrawalProcess.id({ withdrawalId }),
    settle: withoutAmount(settleWithdrawalByHand),
  },
];

const UUID_AT_END = new RegExp(`${UUID_PATTERN}$`);

/** The use case that settles this process by hand, and the id of what it settles; null: it moves no money by hand. */
export function handSettlementOf(workflowId: string): { id: string; settle: Settle } | null {
  const id = UUID_AT_END.exec(workflowId)?.[0];
  const found = id && BY_HAND.find(({ workflowIdOf }) => workflowIdOf(id) === workflowId);
  return found ? { id, settle: found.settle } : null;
}

/** Passes a refusal of those use cases on, in the words of operations. */
export function asOperation(error: unknown): unknown {
  const refused = refusalIn(error);
  if (!refused) return error;
  const { code, details } = refused;
  if (code === 'REFUND_NOT_FOUND' || code === 'PAYOUT_NOT_FOUND' || code === 'WITHDRAWAL_NOT_FOUND')
    return noSuchOperation();
  if (details?.['externalReference'] === undefined) return error;
  const { externalReference: reference, ...others } = details;
  return refusalOf({ ...refused, details: { ...others, reference } });
}
