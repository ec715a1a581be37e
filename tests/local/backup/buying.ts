import { press } from '../../support/builders/sandbox';
import { shopper, type PlacedOrder } from '../../support/builders/shop';
import type { World } from '../../support/worlds/world';

/** The number of buyers who order at the same time. */
export const BUYERS = 4;

export interface Load {
  /** Orders that clients were told of, with whether they were told that they paid; null while they pay. */
  placed: { order: PlacedOrder; paid: boolean | null }[];
  refused: string[];
  stop: () => Promise<void>;
}

/** Buyers who order without a pause; the payments of every second order are reported. */
export function buying(world: World, productId: string): Load {
  const load: Load = { placed: [], refused: [], stop: () => Promise.resolve() };
  let goesOn = true;
  const buyer = async () => {
    for (let turn = 0; goesOn; turn += 1) {
      const ada = await shopper(world, [{ productId }]);
      const answer = await ada.checkout();
      if (answer.status !== 201) {
        load.refused.push(`${answer.status} ${answer.text}`);
        continue;
      }
      const order = answer.body.data as PlacedOrder;
      const placed: Load['placed'][number] = { order, paid: turn % 2 === 0 ? false : null };
      load.placed.push(placed);
      if (placed.paid === false) continue;
      await press(world, placed.order.payment.paymentUrl!, 'pay');
      placed.paid = true;
    }
  };
  const buyers = Array.from({ length: BUYERS }, buyer);
  load.stop = async () => {
    goesOn = false;
    await Promise.all(buyers);
  };
  return load;
}
