import { setTimeout as pause } from 'node:timers/promises';
import { execute, rows, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Fault, FaultContext } from '../fault';
import { ageClaims } from '../scenario/quiet';

const SEEN_WITHIN_MS = 10_000;
const HOLDS = 20;
const HELD_MS = 500;

/** True if the statement finds a row within the time limit. */
export async function seen(
  db: Db,
  sql: string,
  bind: readonly unknown[] = [],
  withinMs = SEEN_WITHIN_MS,
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if ((await rows(db, sql, bind)).length > 0) return true;
    await pause(15);
  }
  return false;
}

/** Throws if the moment never came: then nothing was tested. */
export async function moment(what: string, came: Promise<boolean>): Promise<void> {
  if (!(await came)) throw new Error(`the moment never came: ${what}`);
}

async function killAll({ stack }: FaultContext, kind: 'apis' | 'workers'): Promise<void> {
  await Promise.all(stack[kind].map((part) => part.kill()));
}

export async function comeBack({ stack, random }: FaultContext): Promise<void> {
  const killedAt = new Date();
  await pause(random.int(0, 2_000));
  await stack.heal();
  await ageClaims(stack, killedAt);
}

const someoneWaits = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'worker'`;
const newOrder = 'SELECT 1 FROM orders WHERE created_at > $1';

/** The worker that places an order is blocked before it writes anything; then it is killed. */
const beforeTheEffect = (kind: 'apis' | 'workers'): Fault => ({
  name: `kill all ${kind === 'apis' ? 'APIs' : 'workers'} before the effect`,
  async inject(context) {
    const { stack, random, shop } = context;
    await pause(random.int(200, 900));
    await inTransaction(stack.db, async (tx) => {
      await execute(
        tx,
        'SELECT 1 FROM stock_items WHERE product_id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
        [[...shop.goods, shop.scarce]],
      );
      await moment('an order waits for its stock', seen(stack.db, someoneWaits));
      await pause(random.int(0, 400));
      await killAll(context, kind);
    });
    await comeBack(context);
  },
});

/** The order is committed, and its process does not know it. */
const beforeTheAcknowledgement: Fault = {
  name: 'kill all workers between effect and acknowledgement',
  async inject(context) {
    const { stack, random } = context;
    await pause(random.int(200, 1_500));
    const since = new Date();
    stack.links.workerTemporal.hold('up');
    await moment('an order was placed', seen(stack.db, newOrder, [since]));
    await pause(random.int(0, 300));
    await killAll(context, 'workers');
    await comeBack(context);
  },
};

/** The order is committed, and its buyer has no answer. */
const beforeTheAnswer: Fault = {
  name: 'kill all APIs between commit and answer',
  async inject(context) {
    const { stack, random } = context;
    await pause(random.int(200, 1_500));
    const since = new Date();
    stack.links.apiTemporal.hold('down');
    await moment('an order was placed', seen(stack.db, newOrder, [since]));
    await pause(random.int(0, 300));
    await killAll(context, 'apis');
    await comeBack(context);
  },
};

/** The report is stored and acknowledged, and its process is not started. */
const storedNotStarted: Fault = {
  name: 'kill all APIs with webhooks stored and not started',
  journeys: { pays: 60, paysTwice: 30 },
  async inject(context) {
    const { stack, random } = context;
    stack.links.webhooks.hold('up');
    await moment(
      'a payment was made',
      seen(stack.db, 'SELECT 1 FROM sandbox_events WHERE delivered_at IS NULL'),
    );
    await pause(random.int(300, 1_200));
    stack.links.apiTemporal.hold('up');
    stack.links.webhooks.heal();
    const stored = `SELECT 1 FROM webhook_events WHERE status = 'RECEIVED' AND started_at IS NULL`;
    await moment('a report was stored', seen(stack.db, stored));
    await killAll(context, 'apis');
    await comeBack(context);
  },
};

/**
 * Holds back what the APIs send to Temporal, for as long as a buyer may take to press a button on the page, until one
 * does. Meanwhile no buyer gets a page, so it is released between the tries.
 */
async function heldWhilePaid({ stack, random }: FaultContext): Promise<boolean> {
  for (let tries = 0; tries < HOLDS; tries++) {
    await pause(random.int(0, 500));
    const since = new Date();
    stack.links.apiTemporal.hold('up');
    const paid = 'SELECT 1 FROM sandbox_events WHERE created_at > $1';
    if (await seen(stack.db, paid, [since], HELD_MS)) return true;
    stack.links.apiTemporal.heal();
  }
  return false;
}

/** The buyer has paid on the sandbox's page, and the sandbox has not begun to report it. */
const paidNotReported: Fault = {
  name: 'kill all APIs with payments made and not reported',
  journeys: { pays: 60, paysTwice: 30 },
  async inject(context) {
    await moment('an order was placed', seen(context.stack.db, newOrder, [new Date()]));
    await moment('a payment was made', heldWhilePaid(context));
    await killAll(context, 'apis');
    await comeBack(context);
  },
};

/** kill -9 at the moments that matter: found by holding a lock or a link and looking into the database. */
export const moments: readonly Fault[] = [
  beforeTheEffect('workers'),
  beforeTheEffect('apis'),
  beforeTheAcknowledgement,
  beforeTheAnswer,
  storedNotStarted,
  paidNotReported,
];
