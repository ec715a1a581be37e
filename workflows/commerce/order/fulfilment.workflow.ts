import { continueAsNew, setHandler } from '@temporalio/workflow';
import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import { startRefunds } from '../refund/start-refunds';
import * as contract from './fulfilment.contract';
import type { FulfilmentActivities, FulfilmentInput, FulfilmentResult } from './fulfilment.contract';
import * as orders from './order.contract';
import type { OrderStatus } from './order.states';

/**
 * One paid order on its way to the buyer: picked up at once, then moved by people until it arrives or comes back. At its
 * deadline a parcel counts as delivered, and an order that has not left asks for parking. An operator who gives a step
 * up takes nobody's right to move or cancel the order away.
 */
export async function fulfilment(input: FulfilmentInput): Promise<FulfilmentResult> {
  const { orderId } = input;
  const local = localTransactions<FulfilmentActivities>();
  const order: Entity<OrderStatus> = new Entity<OrderStatus>({
    id: orderId,
    state: 'PAID',
    reading: 'read the order',
    read: async () => (await local.orderStanding({ orderId }))?.status ?? order.state ?? 'PAID',
  });
  takeMoves(order, orderId);
  const unlessAbandoned = order.parking.orAbandoned;
  await unlessAbandoned(() =>
    order.move('begin processing the order', () => statusOf(local.beginProcessing({ orderId, at: now() }))),
  );

  let askedAt: string | null = null;
  return order.follow<FulfilmentResult>({
    async next(status): Promise<Next<FulfilmentResult>> {
      if (hasEnded(status)) {
        if (status === 'CANCELLED') await unlessAbandoned(() => returnMoney(order, orderId, local));
        return { ended: status };
      }
      const found = await unlessAbandoned(() =>
        order.step('find until when the order may stay as it is', () =>
          local.fulfilmentDeadline({ orderId, askedAt }),
        ),
      );
      // Given up by an operator: only people move the order.
      if (found === 'ABANDONED') return { words: WAITING[status] };
      // Moved by somebody who has not told this process (yet).
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
    renew: () => continueAsNew<typeof fulfilment>(input),
  });

  function deliver(): Promise<void> {
    return order.move('count the order as delivered', () =>
      statusOf(local.deliverInTime({ orderId, at: now() })),
    );
  }
}

/** For operators, while the order is under way. */
const WAITING: Record<Exclude<OrderStatus, FulfilmentResult>, string> = {
  PENDING_PAYMENT: 'Not paid yet: checkout has it.',
  PAID: 'PAID: not picked up yet. An administrator can move it to PROCESSING, the buyer can cancel.',
  PROCESSING:
    'PROCESSING: the goods are being made ready. An administrator says when they leave, the buyer can cancel.',
  SHIPPED:
    'SHIPPED: the parcel is on its way. An administrator says when it has arrived; in the end it counts as delivered.',
};

const CLOSING: Record<FulfilmentResult, string> = {
  DELIVERED: 'DELIVERED: the buyer has the goods.',
  CANCELLED: 'CANCELLED before the goods left; the money is on its way back.',
  REFUNDED: 'REFUNDED in full; nothing is left to do here.',
};

const hasEnded = (status: OrderStatus): status is FulfilmentResult => status in CLOSING;

const statusOf = async (read: Promise<{ status: OrderStatus }>): Promise<OrderStatus> => (await read).status;

function takeMoves(order: Entity<OrderStatus>, orderId: string): void {
  const durable = durableTransactions<FulfilmentActivities>();
  setHandler(orders.orderStatus, () => order.state ?? 'PAID');
  order.hears(orders.orderMoved, 'Something else moved the order.');
  order.decides(orders.cancelOrder, (command) => durable.cancelOrder({ orderId, ...command, at: now() }), {
    description: 'Cancel the order and send its money back.',
    stateIn: () => 'CANCELLED',
  });
  order.decides(contract.moveOrder, (move) => durable.moveOrder({ orderId, ...move, at: now() }), {
    description: 'Move the order on: PROCESSING, SHIPPED, DELIVERED.',
    stateIn: ({ status }) => status,
  });
}

/** The refunds that are due, also those that a cancellation scheduled whose answer was lost. */
async function returnMoney(
  order: Entity<OrderStatus>,
  orderId: string,
  local: FulfilmentActivities,
): Promise<void> {
  await startRefunds(await order.step('find money that is owed', () => local.refundsDue({ orderId })));
}
