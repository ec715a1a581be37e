import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Fault } from '../fault';
import { ageClaims } from '../scenario/quiet';

/** Statements on this table wait, until the pools have no connection left. */
const poolExhausted: Fault = {
  name: 'connection pools exhausted',
  async inject({ stack, random }) {
    await pause(random.int(300, 1_500));
    await inTransaction(stack.db, async (tx) => {
      await execute(
        tx,
        `LOCK TABLE ${random.pick(['carts', 'sessions', 'idempotency_keys', 'orders'])} IN ACCESS EXCLUSIVE MODE`,
      );
      await pause(random.int(3_000, 13_000));
    });
    await ageClaims(stack, new Date());
  },
};

/** Others hold every connection that PostgreSQL allows. */
const serverFull: Fault = {
  name: 'PostgreSQL has no connection left',
  async inject({ stack, random }) {
    await pause(random.int(0, 1_000));
    const others: Client[] = [];
    await execute(
      stack.db,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('api', 'worker')`,
    );
    try {
      for (let i = 0; i < 150; i++) {
        const other = new Client({ connectionString: stack.databaseUrl });
        other.on('error', () => undefined);
        await other.connect();
        others.push(other);
      }
    } catch {
      await pause(random.int(1_000, 5_000)); // Full, as intended.
    } finally {
      await Promise.all(others.map((other) => other.end()));
    }
  },
};

/** Limits that guard money cannot be counted, so their endpoints refuse; nothing else does. */
const rateStoreDown: Fault = {
  name: 'rate store down',
  async inject({ stack, random }) {
    await pause(random.int(0, 1_500));
    await execute(stack.db, 'ALTER TABLE rate_limits RENAME TO rate_limits_away');
    await pause(random.int(500, 4_000));
    await execute(stack.db, 'ALTER TABLE rate_limits_away RENAME TO rate_limits');
  },
  expect: ({ log }) =>
    log.of('checkout').some(({ troubles }) => troubles.includes('503'))
      ? []
      : ['nobody noticed, so nothing was tried'],
};

/** A program that stops for a while and continues, as when its machine is moved. */
const frozen = (kind: 'apis' | 'workers'): Fault => ({
  name: `${kind === 'apis' ? 'an API' : 'a worker'} stands still and comes back`,
  async inject({ stack, random }) {
    await pause(random.int(300, 2_000));
    const part = random.pick(stack[kind]);
    part.freeze();
    await pause(random.int(3_000, 20_000));
    part.thaw();
  },
});

/** No worker serves calls to other companies: orders are placed, paid and cancelled all the same, refunds wait. */
const noProviderWorkers: Fault = {
  name: 'a queue without workers: providers',
  journeys: { paysThenCancels: 40, paysTwice: 20, cancelsUnpaid: 20 },
  async inject({ stack, random }) {
    const others = await stack.another('worker', `worker-without-providers-${random.int(1, 1_000_000)}`, {
      WORKER_QUEUES: 'interactive,ingest,batch,long,events',
    });
    await others.start();
    const usual = stack.workers.filter((worker) => worker !== others);
    await Promise.all(usual.map((worker) => worker.stop()));
    await pause(random.int(8_000, 20_000));
    await Promise.all(usual.map((worker) => worker.start()));
    await stack.retire(others);
  },
  expect: ({ log }) =>
    log.of('checkout').some(({ outcome }) => outcome === 'ok') ? [] : ['nobody could place an order'],
};

/** Shortages of connections, tables and workers. */
export const shortage: readonly Fault[] = [
  poolExhausted,
  serverFull,
  rateStoreDown,
  frozen('apis'),
  frozen('workers'),
  noProviderWorkers,
];
