import { ApplicationFailure } from '@temporalio/common';
import { webhookSweepActivities } from '../../../../activities/commerce/webhook/webhook-sweep.activities';
import { commissionActivities } from '../../../../activities/partners/commission/commission.activities';
import { partnerSweepActivities } from '../../../../activities/partners/sweep/partner-sweep.activities';
import { policyFrom } from '../../../../db/policy/config';
import { rows } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { createWorkers } from '../../../../workers/workers';
import { webhookSweepProcess } from '../../../../workflows/commerce/webhook/webhook-sweep.contract';
import {
  commissionEngineProcess,
  type CommissionEngineActivities,
} from '../../../../workflows/partners/commission/commission-engine.contract';
import { partnerSweepProcess } from '../../../../workflows/partners/sweep/partner-sweep.contract';
import { make } from '../../../support/builders/make';
import { people, soldOrder } from '../../../support/builders/partnering/sold-orders';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
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
  pool: { poolMax: number; engines: number } = { poolMax: 20, engines: 1 },
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

const start = (engine: number) =>
  temporal.client.workflow.start(commissionEngineProcess.type, {
    workflowId: commissionEngineProcess.id({ engine }),
    taskQueue: commissionEngineProcess.queue,
    args: [{ engine }],
  });
const engineOf = (engine: number) =>
  temporal.client.workflow.getHandle(commissionEngineProcess.id({ engine }));
const NOTHING = { taken: 0, failed: 0, parked: 0, isRetired: false };

test('one stretch follows the other, each with a fresh history; an engine too many ends', async () => {
  let stretches = 0;
  const takeCommissionEvents: CommissionEngineActivities['takeCommissionEvents'] = ({ engine, forMs }) => {
    expect([engine, forMs]).toEqual([3, 600_000]);
    return Promise.resolve({ ...NOTHING, taken: 7, isRetired: ++stretches === 3 });
  };
  await serving({ takeCommissionEvents }, async () => {
    const { firstExecutionRunId } = await start(3);
    expect(await engineOf(3).result()).toBe('RETIRED');
    expect(stretches).toBe(3);
    const first = temporal.client.workflow.getHandle(
      commissionEngineProcess.id({ engine: 3 }),
      firstExecutionRunId,
    );
    expect(await first.describe()).toMatchObject({ status: { name: 'CONTINUED_AS_NEW' } });
    await keepHistory(first, 'one-stretch', firstExecutionRunId);
    await keepHistory(engineOf(3), 'retired');
  });
});

test('a stretch that failed for good is followed by another', async () => {
  let stretches = 0;
  const takeCommissionEvents = () => {
    if (++stretches === 1) throw ApplicationFailure.nonRetryable('the database is gone', 'Gone');
    return Promise.resolve({ ...NOTHING, isRetired: true });
  };
  await serving({ takeCommissionEvents }, async () => {
    const { firstExecutionRunId } = await start(4);
    expect(await engineOf(4).result()).toBe('RETIRED');
    const first = temporal.client.workflow.getHandle(
      commissionEngineProcess.id({ engine: 4 }),
      firstExecutionRunId,
    );
    await keepHistory(first, 'failed-stretch', firstExecutionRunId);
  });
});

test('a worker that stops lets go at once, and the next one goes on counting', async () => {
  const policy = policyFrom({});
  const activities = commissionActivities({ db: own.db, policy, start: startProcesses(temporal.client) });
  const { id: sponsorId } = await make.partner(own.db);
  const [buyerId] = await people(own.db, [sponsorId]);
  const sell = () => soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor: 100_00 }] });
  const counted = (count: number) =>
    eventually(async () => expect(await rows(own.db, 'SELECT id FROM partner_sales')).toHaveLength(count));
  await start(0);
  await serving(activities, async () => {
    await sell();
    await counted(1);
  });
  await sell();
  await serving(activities, async () => {
    await counted(2);
    await sell();
    await counted(3);
  });
  await engineOf(0).terminate();
});

test('two engines that never end leave the smallest pool free for sweeps', async () => {
  const policy = policyFrom({ POLICY_COMMISSION_ENGINES: '2' });
  const deps = { db: own.db, policy, start: startProcesses(temporal.client) };
  const activities = {
    ...commissionActivities(deps),
    ...partnerSweepActivities(deps),
    ...webhookSweepActivities(deps),
  };
  await Promise.all([start(0), start(1)]);
  await serving(
    activities,
    async () => {
      for (const engine of [0, 1])
        await eventually(async () => {
          const { raw } = await engineOf(engine).describe();
          expect(raw.pendingActivities?.[0]?.lastStartedTime).toBeTruthy();
        });
      for (const sweep of [partnerSweepProcess, webhookSweepProcess])
        await startProcesses(temporal.client)(sweep, {});
      const ended = [partnerSweepProcess, webhookSweepProcess].map((sweep) =>
        temporal.client.workflow.getHandle(sweep.id({})).result(),
      );
      expect(await Promise.all(ended)).toMatchObject([{ engines: 0, events: 0 }, {}]);
    },
    { poolMax: 6, engines: 2 },
  );
  await Promise.all([0, 1].map((engine) => engineOf(engine).terminate()));
});
