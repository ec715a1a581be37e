import { continueAsNew, setHandler } from '@temporalio/workflow';
import { refusal, type ErrorCode } from '../../errors';
import type { Next } from '../../kit/course';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, startDetached, localTransactions } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { lookForMoney } from '../payment/look-for-money';
import { withPage } from '../payment/payment-page';
import { startRefunds } from '../refund/start-refunds';
import * as contract from './checkout.contract';
import type { CheckoutActivities, CheckoutInput, CheckoutResult } from './checkout.contract';
import { fulfilmentProcess } from './fulfilment.contract';
import { passOn } from './hand-over';
import * as orders from './order.contract';
import type { OrderState } from './order.contract';

/** One order from the buyer's request until it is paid or given up. */
export async function checkout(input: CheckoutInput): Promise<CheckoutResult> {
  const { orderId } = input;
  const local = localTransactions<CheckoutActivities>();
  const order = new Entity<OrderState>({
    id: orderId,
    state: input.standing,
    reading: 'find out how the order stands',
    read: () => local.orderStanding({ orderId }),
  });
  takePayments(order, input, local);
  takeCancellation(order, orderId);

  return order.follow<CheckoutResult>({
    async next({ status, payBy, wasPaid }): Promise<Next<CheckoutResult>> {
      if (status === 'CANCELLED') {
        // A cancellation whose answer was lost may have scheduled refunds that nobody has started.
        await startRefunds(await order.step('find money that is owed', () => local.refundsDue({ orderId })));
        // Another process may have had it paid, and started its fulfilment, before.
        if (wasPaid) await notify(fulfilmentProcess, { orderId }, orders.orderMoved);
        return { ended: 'CANCELLED' };
      }
      if (status !== 'PENDING_PAYMENT') {
        await startDetached(fulfilmentProcess, input);
        return { ended: 'PAID' };
      }
      return {
        words: `Waiting for payment until ${payBy}.`,
        summary: `payment window until ${payBy}`,
        until: payBy,
        async whenDue() {
          await lookForMoney(orderId, order, local);
          await order.move('give the unpaid order up', () => local.expireOrder({ orderId, at: now() }));
        },
      };
    },
    closing: {
      PAID: 'Paid; fulfilment has it now.',
      CANCELLED: 'Cancelled; stock and coupons are given back.',
      REFUSED: 'Refused: nothing was ordered.',
      ABANDONED: 'Given up by an operator; the order stays as the database has it.',
    },
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
    whenAbandoned: () => passOn(input),
    renew: (standing) => continueAsNew<typeof checkout>({ ...input, standing }),
  });
}

type Order = Entity<OrderState>;

/** What no update can change any more is refused before it is accepted: only what is accepted fills the history. */
function requireOpen({ state }: Order, code: ErrorCode, at?: string): void {
  if (state === null) throw refusal(code, 'Nothing has been ordered here.');
  if (state === undefined) return;
  if (state.status !== 'PENDING_PAYMENT' || (at !== undefined && state.payBy <= at))
    throw refusal(code, `This order waits for no payment: it is ${state.status}.`);
}

/** The buyer's order, and further attempts to pay it. */
function takePayments(order: Order, input: CheckoutInput, local: CheckoutActivities): void {
  const { orderId } = input;
  const durable = durableTransactions<CheckoutActivities>();
  order.opens(contract.placeOrder, (command) => local.placeOrder({ ...input, ...command, at: now() }), {
    stateIn: ({ standing }) => standing,
    complete: withPage,
  });
  order.decides(
    contract.payOrder,
    async (command) => {
      if (!order.state) throw refusal('NOT_PAYABLE', 'Nothing has been ordered here.');
      // A balance is paid with at once, so that is done only after the request is written down.
      const steps = command.paymentMethod === 'BALANCE' ? durable : local;
      return steps.openPayment({ orderId, ...command, at: now() });
    },
    {
      stateIn: ({ standing }) => standing,
      complete: withPage,
      validator: () => requireOpen(order, 'NOT_PAYABLE', now()),
    },
  );
  order.hears(orders.paymentReported, 'A provider reported on a payment.');
  setHandler(orders.orderStatus, () => {
    if (order.state === undefined) return 'PLACING';
    return order.state?.status ?? 'REFUSED';
  });
}

function takeCancellation(order: Order, orderId: string): void {
  const durable = durableTransactions<CheckoutActivities>();
  order.decides(
    orders.cancelOrder,
    async (command) => {
      // Once it is known as paid, fulfilment answers for it.
      if (order.state?.status !== 'PENDING_PAYMENT')
        throw refusal('CANNOT_CANCEL', 'This order is not (or no longer) with checkout.');
      return durable.cancelOrder({ orderId, ...command, at: now() });
    },
    { validator: () => requireOpen(order, 'CANNOT_CANCEL') },
  );
}
