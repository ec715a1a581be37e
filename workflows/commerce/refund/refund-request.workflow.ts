import { continueAsNew } from '@temporalio/workflow';
import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { fulfilmentProcess } from '../fulfilment/fulfilment.contract';
import { orderMoved } from '../order/order.contract';
import * as contract from './refund-request.contract';
import type {
  RefundRequestActivities,
  RefundRequestInput,
  RefundRequestResult,
  RefundStanding,
} from './refund-request.contract';
import { startRefunds } from './start-refunds';

/**
 * A request for money back: it waits for an administrator's decision, for which it asks after a
 * time, then for the money to arrive.
 */
export async function refundRequest(input: RefundRequestInput): Promise<RefundRequestResult> {
  const { refundRequestId, orderId, standing } = input;
  const local = localTransactions<RefundRequestActivities>();
  const durable = durableTransactions<RefundRequestActivities>();
  let { askedAt = null } = input;
  const request = new Entity<RefundStanding>({
    id: refundRequestId,
    state: standing,
    reading: 'read the state of the request',
    read: () => local.refundRequestState({ refundRequestId, askedAt }),
    renew: (state) => continueAsNew<typeof refundRequest>({ ...input, standing: state, askedAt }),
  });
  request.opens(contract.requestRefund, (command) =>
    local.requestRefund({ ...input, ...command, at: now() }),
  );
  // A refund that an administrator starts is requested and approved at once.
  request.opens(contract.refundOrder, (refund) => durable.refundOrder({ ...input, ...refund, at: now() }), {
    description: 'Give money of the order back without a request of the buyer.',
  });
  request.decides(
    contract.approveRefund,
    (approval) => durable.approveRefund({ ...approval, refundRequestId, orderId, at: now() }),
    { description: 'Send the money back, all of it or a part.' },
  );
  request.decides(
    contract.rejectRefund,
    (rejection) => durable.rejectRefund({ ...rejection, refundRequestId, orderId, at: now() }),
    { description: 'Turn the request down.' },
  );
  request.hears(contract.refundSettled, 'A refund of the request has ended.');

  return request.follow<RefundRequestResult>({
    async next({ status, orderStatus, refundsDue, decideBy }): Promise<Next<RefundRequestResult>> {
      // An order of which all the money is back requires no more fulfilment.
      if (status === 'COMPLETED' && orderStatus === 'REFUNDED')
        await notify(fulfilmentProcess, { orderId }, orderMoved);
      if (status === 'COMPLETED' || status === 'REJECTED' || status === 'FAILED') return { ended: status };
      await startRefunds(refundsDue);
      if (decideBy === null) return { words: WAITING[status] };
      return {
        words: WAITING[status],
        summary: `to be decided by ${decideBy}`,
        until: decideBy,
        async whenDue(changed) {
          await request.parking.ask(`${WAITING[status]} Nobody has decided it in time.`, changed);
          askedAt = now();
          request.readAgain();
        },
      };
    },
    closing: CLOSING,
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}

const WAITING = {
  PENDING_REVIEW: 'Waits for an administrator to approve or to reject it.',
  APPROVED: 'Approved; the refund is being prepared.',
  PROCESSING: 'Approved; the money is on its way back through its provider.',
};

const CLOSING: Record<RefundRequestResult, string> = {
  REFUSED: 'Refused: no request was opened.',
  REJECTED: 'Turned down by an administrator.',
  COMPLETED: 'The money is back with the buyer.',
  FAILED: 'The provider did not send the money, and an operator gave it up; the buyer is still owed it.',
  ABANDONED: 'Given up by an operator; the request stays as it is in the database.',
};
