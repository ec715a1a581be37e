import type { Db } from '../../../db/sql/query';
import { orderInShop, shopSteps, type ShopOptions, type ShopOrder, type ShopPlace } from './given/shop';
import { dbSteps, orderToPlace, placeBySteps } from './given/steps';
import type { MadeOrder, OrderOptions, OrderToPlace } from './given/steps';

/** An order in the making. Awaiting it does the steps in their order, once, and answers the order. */
export interface OrderChain<Order> extends PromiseLike<Order> {
  paid: () => OrderChain<Order>;
  shipped: () => OrderChain<Order>;
  delivered: () => OrderChain<Order>;
  /** Cancelled by its buyer; `refundId` is the refund of its payment. */
  cancelled: () => OrderChain<Order & { refundId: string }>;
  /** Its buyer requests all of its money back. */
  refundRequested: () => OrderChain<Order & { refundRequestId: string }>;
}

/** Carries each step of a chain out; answers what the order is known by from then on. */
export interface OrderSteps<Order> {
  paid: (order: Order) => Promise<void>;
  shipped: (order: Order) => Promise<void>;
  delivered: (order: Order) => Promise<void>;
  cancelled: (order: Order) => Promise<{ refundId: string }>;
  refundRequested: (order: Order) => Promise<{ refundRequestId: string }>;
}

function chain<Base, Order extends Base>(
  steps: OrderSteps<Base>,
  make: () => Promise<Order>,
): OrderChain<Order> {
  let made: Promise<Order> | undefined;
  const after = (step: (order: Base) => Promise<void>) =>
    chain<Base, Order>(steps, async () => {
      const order = await make();
      await step(order);
      return order;
    });
  const adding = <Added extends object>(step: (order: Base) => Promise<Added>) =>
    chain<Base, Order & Added>(steps, async () => {
      const order = await make();
      return { ...order, ...(await step(order)) };
    });
  return {
    then: (onMade, onFailed) => (made ??= make()).then(onMade, onFailed),
    paid: () => after(steps.paid),
    shipped: () => after(steps.shipped),
    delivered: () => after(steps.delivered),
    cancelled: () => adding(steps.cancelled),
    refundRequested: () => adding(steps.refundRequested),
  };
}

interface GivenDb {
  /** A buyer who is about to order. */
  cart: (options?: OrderOptions) => Promise<OrderToPlace>;
  /** A placed order. */
  order: (options?: OrderOptions) => OrderChain<MadeOrder>;
}

interface GivenShop {
  /** A placed order, with its buyer. */
  order: (options?: ShopOptions) => OrderChain<ShopOrder>;
}

/**
 * Makes the orders a test begins with: `await given(db).order().paid().shipped()`. A database gets them by the steps of
 * activities without a process; a world by requests to its API, and each step waits for the order's process.
 */
export function given(db: Db): GivenDb;
export function given(world: ShopPlace): GivenShop;
export function given(place: Db | ShopPlace): GivenDb | GivenShop {
  if ('http' in place)
    return { order: (options = {}) => chain(shopSteps(place), () => orderInShop(place, options)) };
  return {
    cart: (options = {}) => orderToPlace(place, options),
    order: (options = {}) => chain(dbSteps(place), () => placeBySteps(place, options)),
  };
}
