import { withHeartbeat } from '../../activities/heartbeat';
import { connectForLongWork } from '../../db/sql/connection';
import { inLongTransaction } from '../../db/sql/long-transaction';
import { execute, rows, type Db } from '../../db/sql/query';
import { createWorkers } from '../../workers/workers';
import { ledgerReconciliationProcess } from '../../workflows/ledger/ledger-reconciliation.contract';
import { workflowBundle } from '../support/run/bundle';
import { ownDatabase } from '../support/servers/database';
import { eventually } from '../support/checks/eventually';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';

const own = ownDatabase();
let temporal: TestTemporal;
let longDb: Db;
beforeAll(async () => {
  temporal = await connectTemporal();
  longDb = connectForLongWork({ DATABASE_URL: own.url }, 'long-work');
});
afterAll(async () => {
  await temporal.close();
  await longDb.sequelize.close();
});

/** A batch worker whose ledger reconciliation takes that many seconds. */
async function worker(seconds: number) {
  const reconcileLedger = () =>
    withHeartbeat((signal) =>
      inLongTransaction(longDb, signal, async (tx) => {
        await execute(tx, 'SELECT pg_sleep($1)', [seconds]);
        return { drifts: 0, unbalancedTransfers: 0 };
      }),
    );
  const [batch] = await createWorkers({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    queues: ['batch'],
    poolMax: 20,
    callLimits: {},
    activities: { reconcileLedger },
  });
  const ended = batch!.run();
  return { stop: () => (batch!.shutdown(), ended) };
}

const statements = () =>
  rows(own.db, `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(%'`);

test('a worker that stops ends its long statement at once, without an error; another worker starts it again', async () => {
  const first = await worker(120);
  const comparison = await temporal.client.workflow.start(ledgerReconciliationProcess.type, {
    workflowId: ledgerReconciliationProcess.id({}),
    taskQueue: ledgerReconciliationProcess.queue,
    args: [{}],
  });
  await eventually(async () => expect(await statements()).toHaveLength(1));
  const stoppedAt = performance.now();
  await first.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(15_000);
  expect(await statements()).toEqual([]);
  const second = await worker(0);
  expect(await comparison.result()).toEqual({ drifts: 0, unbalancedTransfers: 0 });
  await second.stop();
}, 60_000);
