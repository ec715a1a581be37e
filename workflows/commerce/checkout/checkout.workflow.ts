import { continueAsNew, setHandler } from '@temporalio/workflow';
import { refusal } from '../../errors';
import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import {
  durableTransactions,
  handlersFinished,
  localTransactions,
  now,
  startDetached,
} from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { lookForMoney } from '../payment/look-for-money';
import { requireNotRefused, withPage } from '../payment/payment-page';
import { startRefunds } from '../refund/start-refunds';
import * as contract from './checkout.contract';
import type { CheckoutActivities, CheckoutInput, CheckoutResult } from './checkout.contract';
import { fulfilmentProcess } from '../fulfilment/fulfilment.contract';
import { passOn } from './hand-over';
import * as orders from '../order/order.contract';
import type { OrderState } from '../order/order.contract';

/** One order from the buyer's request until it is paid or cancelled. */
export async function checkout(input: CheckoutInput): Promise<CheckoutResult> {
  const { orderId, userId } = input;
  const local = localTransactions<CheckoutActivities>();
  const order = new Entity<OrderState>({
    id: orderId,
    state: input.standing,
    reading: 'read the state of the order',
    read: () => local.orderState({ orderId }),
    ...(input.exists && { exists: true }),
    renew: (standing) => continueAsNew<typeof checkout>({ ...input, standing }),
  });
  handlePayments(order, input, local);
  handleCancellation(order, orderId);
  let wasLookedFor = false;

  /** Closes the pages that may still be open; money that was paid on them meanwhile goes back. */
  async function closePages(): Promise<void> {
    // A page that is being opened can be closed only when it is known.
    await handlersFinished();
    await lookForMoney({ orderId }, order, local);
    wasLookedFor = true;
  }

  return order.follow<CheckoutResult>({
    async next({ status, payBy, wasPaid, label, pagesLeft }): Promise<Next<CheckoutResult>> {
      if (status === 'CANCELLED') {
        // A cancellation whose answer was lost may have scheduled refunds that are not started yet.
        await startRefunds(await order.step('find money that is owed', () => local.refundsDue({ orderId })));
        // Another process may have settled it, and started its fulfilment, before.
        if (wasPaid) await notify(fulfilmentProcess, { orderId }, orders.orderMoved);
        // The buyer cancelled it.
        if (!wasLookedFor) await closePages();
        return { ended: 'CANCELLED' };
      }
      if (status !== 'PENDING_PAYMENT') {
        await startDetached(fulfilmentProcess, { orderId, userId, label });
        // Another attempt paid it.
        if (pagesLeft && !wasLookedFor) await closePages();
        return { ended: 'PAID' };
      }
      return {
        words: `${label}. Waiting for payment until ${payBy}.`,
        summary: `payment window until ${payBy}`,
        until: payBy,
        async whenDue() {
          await lookForMoney({ orderId }, order, local);
          await order.move('cancel the unpaid order', () => local.expireOrder({ orderId, at: now() }));
          wasLookedFor = order.state?.status !== 'PENDING_PAYMENT';
        },
      };
    },
    closing: {
      PAID: 'Paid; fulfilment continues.',
      CANCELLED: 'Cancelled; stock and coupons are returned.',
      REFUSED: 'Refused: nothing was ordered.',
      ABANDONED: 'Abandoned by an operator; the order stays as it is in the database.',
    },
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
    whenAbandoned: () => passOn(input),
  });
}

type Order = Entity<OrderState>;

/** Refuses an update that can no longer succeed before it is accepted, so that it does not fill the history. */
function requireOpen({ state }: Order, code: 'NOT_PAYABLE' | 'CANNOT_CANCEL', at?: string): void {
  if (state === null) throw refusal(code, 'This order was never placed.');
  if (state === undefined) return;
  if (state.status !== 'PENDING_PAYMENT' || (at !== undefined && state.payBy <= at))
    throw code === 'NOT_PAYABLE'
      ? orders.notPayable(state.status, state.wasPaid && state.status !== 'CANCELLED')
      : orders.tooLateToCancel(state.status);
}

/** Handles the buyer's order, and further attempts to pay it. */
function handlePayments(order: Order, input: CheckoutInput, local: CheckoutActivities): void {
  const { orderId } = input;
  const durable = durableTransactions<CheckoutActivities>();
  order.opens(contract.placeOrder, (command) => local.placeOrder({ ...input, ...command, at: now() }), {
    stateIn: ({ standing }) => standing,
    complete: withPage,
  });
  order.decides(
    contract.payOrder,
    async (command) => {
      if (!order.state) throw refusal('NOT_PAYABLE', 'This order was never placed.');
      // A payment by balance takes effect at once, so it runs only after the request is in the history.
      const steps = command.paymentMethod === 'BALANCE' ? durable : local;
      return steps.openPayment({ orderId, ...command, at: now() });
    },
    {
      stateIn: ({ standing }) => standing,
      complete: async (offered) => requireNotRefused(await withPage(offered)),
      validator: () => requireOpen(order, 'NOT_PAYABLE', now()),
    },
  );
  order.hears(orders.paymentReported, 'A provider reported on a payment.');
  setHandler(orders.orderStatus, () => {
    if (order.state === undefined) return 'PLACING';
    return order.state?.status ?? 'REFUSED';
  });
}

function handleCancellation(order: Order, orderId: string): void {
  const durable = durableTransactions<CheckoutActivities>();
  order.decides(
    orders.cancelOrder,
    async (command) => {
      // Fulfilment handles a paid order.
      if (order.state?.status !== 'PENDING_PAYMENT')
        throw refusal('CANNOT_CANCEL', 'This order can no longer be cancelled.');
      return durable.cancelOrder({ orderId, ...command, at: now() });
    },
    { validator: () => requireOpen(order, 'CANNOT_CANCEL') },
  );
}
