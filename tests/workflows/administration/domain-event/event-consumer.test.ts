import { ApplicationFailure } from '@temporalio/common';
import { eventConsumerActivities } from '../../../../activities/administration/domain-event/event-consumer.activities';
import { webhookSweepActivities } from '../../../../activities/commerce/webhook/webhook-sweep.activities';
import { partnerSweepActivities } from '../../../../activities/partners/sweep/partner-sweep.activities';
import { rows } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { createWorkers } from '../../../../workers/workers';
import {
  eventConsumerProcess,
  type EventConsumerActivities,
} from '../../../../workflows/administration/domain-event/event-consumer.contract';
import { webhookSweepProcess } from '../../../../workflows/commerce/webhook/webhook-sweep.contract';
import { partnerSweepProcess } from '../../../../workflows/partners/sweep/partner-sweep.contract';
import { make } from '../../../support/builders/make';
import { people, soldOrder } from '../../../support/builders/partnering/sold-orders';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { consumerDeps } from '../../../support/checks/take-events';
import { workflowBundle } from '../../../support/run/bundle';
import { ownDatabase } from '../../../support/servers/database';
import { connectTemporal, type TestTemporal } from '../../../support/servers/temporal';

const own = ownDatabase();
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** A worker for the process and its step, while something happens. */
async function serving(
  activities: object,
  happens: () => Promise<void>,
  pool: { poolMax: number; eventConcurrency: number } = { poolMax: 20, eventConcurrency: 1 },
): Promise<void> {
  const workers = await createWorkers({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    queues: ['batch', 'events'],
    ...pool,
    callLimits: {},
    activities,
  });
  const ends = Promise.all(workers.map((worker) => worker.run()));
  try {
    await happens();
  } finally {
    for (const worker of workers) worker.shutdown();
    await ends;
  }
}

const input = { consumer: 'commissions' } as const;
const start = () =>
  temporal.client.workflow.start(eventConsumerProcess.type, {
    workflowId: eventConsumerProcess.id(input),
    taskQueue: eventConsumerProcess.queue,
    args: [input],
  });
const consumer = (runId?: string) =>
  temporal.client.workflow.getHandle(eventConsumerProcess.id(input), runId);
const NOTHING = { applied: 0, failed: 0, parked: 0, dead: 0 };
const activities = (concurrency = 1) =>
  eventConsumerActivities({ ...consumerDeps(own.db), start: startProcesses(temporal.client), concurrency });

const isContinued = (runId: string) =>
  eventually(async () =>
    expect(await consumer(runId).describe()).toMatchObject({ status: { name: 'CONTINUED_AS_NEW' } }),
  );

test('one stretch follows the other, each with a fresh history', async () => {
  let stretches = 0;
  const applyEvents: EventConsumerActivities['applyEvents'] = async ({ consumer: name, forMs }) => {
    expect([name, forMs]).toEqual(['commissions', 600_000]);
    if (++stretches > 2) await eventually(() => expect(stretches).toBe(0));
    return { ...NOTHING, applied: 7 };
  };
  await serving({ applyEvents }, async () => {
    const { firstExecutionRunId } = await start();
    await isContinued(firstExecutionRunId);
    await keepHistory(consumer(), 'one-stretch', firstExecutionRunId);
    await eventually(() => expect(stretches).toBe(3));
    await consumer().terminate();
    stretches = 0;
  });
});

test('a stretch that failed for good is followed by another', async () => {
  let stretches = 0;
  const applyEvents = async () => {
    if (++stretches === 1) throw ApplicationFailure.nonRetryable('the database is gone', 'Gone');
    await eventually(() => expect(stretches).toBe(0));
    return NOTHING;
  };
  await serving({ applyEvents }, async () => {
    const { firstExecutionRunId } = await start();
    await isContinued(firstExecutionRunId);
    await keepHistory(consumer(), 'failed-stretch', firstExecutionRunId);
    await eventually(() => expect(stretches).toBe(2));
    await consumer().terminate();
    stretches = 0;
  });
});

test('a worker that stops lets go at once, and the next one goes on counting', async () => {
  const { id: sponsorId } = await make.partner(own.db);
  const [buyerId] = await people(own.db, [sponsorId]);
  const sell = () => soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor: 100_00 }] });
  const counted = (count: number) =>
    eventually(async () => expect(await rows(own.db, 'SELECT id FROM partner_sales')).toHaveLength(count));
  await start();
  await serving(activities(), async () => {
    await sell();
    await counted(1);
  });
  await sell();
  await serving(activities(), async () => {
    await counted(2);
    await sell();
    await counted(3);
  });
  await consumer().terminate();
});

test('a consumer that never ends leaves the smallest pool free for sweeps, whatever it does at once', async () => {
  const deps = { db: own.db, start: startProcesses(temporal.client) };
  const all = { ...activities(2), ...partnerSweepActivities(deps), ...webhookSweepActivities(deps) };
  await start();
  await serving(
    all,
    async () => {
      await eventually(async () => {
        const { raw } = await consumer().describe();
        expect(raw.pendingActivities?.[0]?.lastStartedTime).toBeTruthy();
      });
      for (const sweep of [partnerSweepProcess, webhookSweepProcess])
        await startProcesses(temporal.client)(sweep, {});
      const ended = [partnerSweepProcess, webhookSweepProcess].map((sweep) =>
        temporal.client.workflow.getHandle(sweep.id({})).result(),
      );
      expect(await Promise.all(ended)).toMatchObject([{ consumers: 0, failures: 0 }, {}]);
    },
    { poolMax: 6, eventConcurrency: 2 },
  );
  await consumer().terminate();
});
