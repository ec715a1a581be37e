import { duel } from '../duel';
import { drive } from '../load';
import { someProducts } from '../setting/goods';
import type { Row } from '../row';
import { openOrders } from '../setting/open-orders';
import { statementsOf } from '../statements';
import type { Findings, Shop } from './chapter';
import { buy, checkOut, putIntoCart, type Shopper } from './shopping';

const GOODS = 200;
/** Checkouts whose statements are counted. */
const COUNTED = 10;
/** A checkout takes a hundred times as long as a page, so its slices are longer: what ends after one is idle time. */
const LONGER = 4;
/** Slices until V8 has compiled the hot code; before that, a checkout takes three times as long. */
const WARM_UP = 20;
const WARM_UP_CALLERS = 16;
/** Temporal and the worker go on for a moment after the answer, which belongs to the checkout. */
const REST_MS = 500;

/** The whole checkout of seven calls against the same SQL without Temporal, and its parts. */
export async function checkout(shop: Shop): Promise<Findings> {
  const { stage, levels, pace } = shop;
  const goods = await someProducts(stage.postgres.sql, GOODS);
  const { api, bare, worker, temporal, postgres } = stage;
  const bought = (ask: Shopper['ask']) => {
    let next = 0;
    return async (caller: number): Promise<undefined> => {
      await buy(shopperOf(shop, ask, caller), goods[next++ % GOODS]!);
    };
  };
  const contenders = {
    ours: {
      operation: bought(api.ask),
      servers: { api: api.pid, worker: worker.pid, Temporal: temporal.pid, PostgreSQL: postgres.pid },
    },
    bare: { operation: bought(bare.ask), servers: { server: bare.pid, PostgreSQL: postgres.pid } },
  };
  for (const { operation } of Object.values(contenders))
    await drive(operation, WARM_UP_CALLERS, WARM_UP * pace.sliceMs);
  const rows: Row[] = [];
  const openAtFirst = (await openOrders(postgres.sql)).toLocaleString('en');
  const slow = { ...pace, sliceMs: LONGER * pace.sliceMs, restMs: REST_MS };
  for (const callers of levels) {
    const open = (await openOrders(postgres.sql)).toLocaleString('en');
    const figures = await duel(contenders, callers, slow);
    rows.push({ measured: `checkout, seven calls, ${open} open orders`, callers, ...figures });
  }
  const best = Math.max(...rows.map(({ ours }) => ours.perSecond));
  return {
    rows,
    facts: [
      {
        figure: `whole checkouts of seven calls a second, at best, beside ${openAtFirst} open orders`,
        value: best.toFixed(1),
        target: '≥ 40 on two cores',
      },
      ...(await consistsOf(shop, goods)),
    ],
  };
}

export const shopperOf = ({ buyers, methodId }: Shop, ask: Shopper['ask'], caller: number): Shopper => ({
  ask,
  methodId,
  buyer: buyers[caller % buyers.length]!,
});

async function consistsOf(shop: Shop, goods: readonly string[]): Promise<Findings['facts']> {
  const { sql } = shop.stage.postgres;
  const shopper = shopperOf(shop, shop.stage.api.ask, 0);
  const each = async (operation: (productId: string) => Promise<unknown>): Promise<number> => {
    const { statements } = await statementsOf(sql, async () => {
      for (const productId of goods.slice(0, COUNTED)) await operation(productId);
    });
    return statements / COUNTED;
  };
  const whole = await each((productId) => buy(shopper, productId));
  const filled = await each((productId) => putIntoCart(shopper, productId));
  let orderId = await checkOut(shopper);
  const filledAndOrdered = await each(async (productId) => {
    await putIntoCart(shopper, productId);
    orderId = await checkOut(shopper);
  });
  const history = await shop.stage.temporal.client.workflow.getHandle(`checkout:${orderId}`).fetchHistory();
  const types = (history.events ?? []).map(({ eventType }) => Number(eventType));
  const tasks = types.filter((type) => type === WORKFLOW_TASK_COMPLETED).length;
  return [
    {
      figure: 'workflow tasks / history events of a checkout that waits for payment',
      value: `${tasks} / ${types.length}`,
      target: '1 / ≤ 12',
    },
    { figure: 'SQL statements of the seven calls, with BEGIN and COMMIT', value: whole.toFixed(1) },
    { figure: 'of those, POST /cart/checkout', value: (filledAndOrdered - filled).toFixed(1) },
  ];
}

/** As Temporal's `EventType` counts. */
const WORKFLOW_TASK_COMPLETED = 7;
