import { WithStartWorkflowOperation, type Client as Temporal } from '@temporalio/client';
import { duel } from '../duel';
import { someProducts } from '../setting/goods';
import { startEcho, type Echo } from '../echo';
import type { Findings, Shop } from './chapter';
import { shopperOf } from './checkout';
import { checkOut, putIntoCart, type Shopper } from './shopping';

const GOODS = 50;

/**
 * The time of one buyer until the answer to POST /cart/checkout, against its least parts: the same
 * transaction over HTTP, and one update of a process that is started with it.
 */
export async function firstAnswer(shop: Shop): Promise<Findings> {
  const { stage, pace } = shop;
  const goods = await someProducts(stage.postgres.sql, GOODS);
  const ordering = (ask: Shopper['ask']) => {
    let next = 0;
    return async (): Promise<number> => {
      const shopper = shopperOf(shop, ask, 0);
      await putIntoCart(shopper, goods[next++ % GOODS]!);
      return timed(() => checkOut(shopper));
    };
  };
  const echo = await startEcho(stage);
  const contenders = {
    ours: { operation: ordering(stage.api.ask), servers: {} },
    bare: { operation: ordering(stage.bare.ask), servers: {} },
    temporal: { operation: () => timed(() => roundTrip(stage.temporal.client, echo)), servers: {} },
  };
  const { ours, bare, temporal } = await duel(contenders, 1, pace);
  await echo.stop();
  const least = bare.p50Ms + temporal.p50Ms;
  const parts = `${ours.p50Ms.toFixed(1)} ms ÷ (${bare.p50Ms.toFixed(1)} + ${temporal.p50Ms.toFixed(1)})`;
  return {
    rows: [],
    facts: [
      {
        figure:
          'first answer of a checkout alone ÷ (the same transaction over HTTP + one Temporal round trip), p50',
        value: `${(ours.p50Ms / least).toFixed(2)} = ${parts}`,
        target: '≤ 2.5',
      },
    ],
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

let echoes = 0;

/** Starts a process and has its first answer, as a checkout does. */
async function roundTrip(temporal: Temporal, { taskQueue, update, workflow }: Echo): Promise<void> {
  const startWorkflowOperation = new WithStartWorkflowOperation(workflow, {
    workflowId: `echo:${++echoes}`,
    taskQueue,
    workflowIdConflictPolicy: 'FAIL',
    args: [],
  });
  await temporal.workflow.executeUpdateWithStart(update, { startWorkflowOperation, args: [] });
}
