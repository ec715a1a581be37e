import { continueAsNew, setHandler } from '@temporalio/workflow';
import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import { startRefunds } from '../refund/start-refunds';
import * as contract from './fulfilment.contract';
import type { FulfilmentActivities, FulfilmentInput, FulfilmentResult } from './fulfilment.contract';
import * as orders from '../order/order.contract';
import type { OrderStatus } from '../order/order.states';

/**
 * One paid order until the buyer has it: processing begins at once, then people move it until it is delivered, cancelled
 * or refunded. At its deadline a parcel counts as delivered, and an order that has not left parks. An abandoned step
 * does not end the process: the order can still be moved or cancelled.
 */
export async function fulfilment(input: FulfilmentInput): Promise<FulfilmentResult> {
  const { orderId } = input;
  const local = localTransactions<FulfilmentActivities>();
  let { askedAt = null, isLeftToPeople = false } = input;
  const order: Entity<OrderStatus> = new Entity<OrderStatus>({
    id: orderId,
    state: 'PAID',
    reading: 'read the order',
    read: async () => (await local.orderState({ orderId }))?.status ?? order.state ?? 'PAID',
    renew: () => continueAsNew<typeof fulfilment>({ ...input, askedAt, isLeftToPeople }),
  });
  handleMoves(order, orderId);
  const unlessAbandoned = order.parking.orAbandoned;
  if (!isLeftToPeople) {
    const begun = await unlessAbandoned(() =>
      order.move('begin processing the order', () => statusOf(local.beginProcessing({ orderId, at: now() }))),
    );
    isLeftToPeople = begun === 'ABANDONED';
  }

  return order.follow<FulfilmentResult>({
    async next(status): Promise<Next<FulfilmentResult>> {
      if (hasEnded(status)) {
        if (status === 'CANCELLED') await unlessAbandoned(() => startDueRefunds(order, orderId, local));
        return { ended: status };
      }
      const found = await unlessAbandoned(() =>
        order.step('find until when the order may stay as it is', () =>
          local.fulfilmentDeadline({ orderId, askedAt }),
        ),
      );
      // Abandoned by an operator: only people move the order.
      if (found === 'ABANDONED') return { words: WAITING[status] };
      // Moved outside this process, whose signal has not arrived yet.
      if (found.status !== status) order.readAgain();
      return {
        words: WAITING[status],
        summary: `stays so until ${found.until}`,
        until: found.until,
        async whenDue(changed) {
          if (status === 'SHIPPED') await unlessAbandoned(deliver);
          else {
            await order.parking.ask(`${WAITING[status]} It has been so for too long.`, changed);
            askedAt = now();
          }
        },
      };
    },
    closing: CLOSING,
    refused: 'CANCELLED',
  });

  function deliver(): Promise<void> {
    return order.move('count the order as delivered', () =>
      statusOf(local.deliverInTime({ orderId, at: now() })),
    );
  }
}

/** Current details for operators. */
const WAITING: Record<Exclude<OrderStatus, FulfilmentResult>, string> = {
  PENDING_PAYMENT: 'Not paid yet: checkout handles it.',
  PAID: 'PAID: processing has not begun. An administrator can move it to PROCESSING, the buyer can cancel.',
  PROCESSING:
    'PROCESSING: the goods are being made ready. An administrator moves it to SHIPPED, the buyer can cancel.',
  SHIPPED:
    'SHIPPED: the parcel is on its way. An administrator moves it to DELIVERED; at its deadline it counts as delivered.',
};

const CLOSING: Record<FulfilmentResult, string> = {
  DELIVERED: 'DELIVERED: the buyer has the goods.',
  CANCELLED: 'CANCELLED before the goods left; the money is on its way back.',
  REFUNDED: 'REFUNDED in full; nothing is left to do.',
};

const hasEnded = (status: OrderStatus): status is FulfilmentResult => status in CLOSING;

const statusOf = async (read: Promise<{ status: OrderStatus }>): Promise<OrderStatus> => (await read).status;

function handleMoves(order: Entity<OrderStatus>, orderId: string): void {
  const durable = durableTransactions<FulfilmentActivities>();
  setHandler(orders.orderStatus, () => order.state ?? 'PAID');
  order.hears(orders.orderMoved, 'Something else moved the order.');
  order.decides(orders.cancelOrder, (command) => durable.cancelOrder({ orderId, ...command, at: now() }), {
    description: 'Cancel the order and send its money back.',
    stateIn: () => 'CANCELLED',
  });
  order.decides(contract.moveOrder, (move) => durable.moveOrder({ orderId, ...move, at: now() }), {
    description: 'Move the order: PROCESSING, SHIPPED, DELIVERED.',
    stateIn: ({ status }) => status,
  });
}

/** Starts the refunds that are due, including those of a cancellation whose answer was lost. */
async function startDueRefunds(
  order: Entity<OrderStatus>,
  orderId: string,
  local: FulfilmentActivities,
): Promise<void> {
  await startRefunds(await order.step('find money that is owed', () => local.refundsDue({ orderId })));
}
