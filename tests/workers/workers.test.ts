import { ScheduleOverlapPolicy } from '@temporalio/client';
import { v7 } from 'uuid';
import { jobActivities } from '../../activities/administration/job/job.activities';
import type { Whole } from '../../activities/administration/job/job-work';
import { drivers } from '../../activities/providers/drivers';
import { Processes } from '../../api/http/temporal/temporal';
import { connectForLongWork } from '../../db/sql/connection';
import { inLongTransaction } from '../../db/sql/long-transaction';
import { type Db, execute, rows } from '../../db/sql/query';
import { WorkerConfig } from '../../workers/config';
import { callLimits } from '../../workers/limits';
import { PROVIDER_QUEUES, QUEUES, queuesNamed, queuesOf, slotsFor } from '../../workers/queues';
import { schedules } from '../../workers/schedule-table';
import { reconcileSchedules, SCHEDULES_VERSION } from '../../workers/schedules';
import { startProcesses } from '../../workers/start';
import { createWorkers } from '../../workers/workers';
import { outboxSenderProcess } from '../../workflows/administration/outbox/outbox-sender.contract';
import { sandboxWebhookProcess } from '../../workflows/commerce/sandbox/sandbox-webhook.contract';
import { webhookSweepProcess } from '../../workflows/commerce/webhook/webhook-sweep.contract';
import { lookupQueue, providerQueue, type Queue } from '../../workflows/kit/queues';
import { ledgerReconciliation } from '../../workflows/ledger/ledger-reconciliation.job';
import { eventually } from '../support/checks/eventually';
import { workflowBundle } from '../support/run/bundle';
import { ownDatabase } from '../support/servers/database';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';
import { startJob } from '../support/worlds/run-job';
import { testVariables } from '../support/worlds/variables';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

describe('starts', () => {
  /** The queues have no workers, so a started process runs until it is terminated. */
  const end = (workflowId: string) => temporal.client.workflow.getHandle(workflowId).terminate();

  const starters = {
    'the API': () => {
      const processes = new Processes(temporal.client);
      return processes.start.bind(processes);
    },
    'a worker': () => startProcesses(temporal.client),
  };

  describe.each(Object.entries(starters))('%s', (_name, starter) => {
    test('starts the process of an event once, also after that has ended', async () => {
      const event = { eventId: v7(), delayMs: 0 };
      expect(await starter()(sandboxWebhookProcess, event)).toBe('started');
      expect(await starter()(sandboxWebhookProcess, event)).toBe('already started');
      await end(sandboxWebhookProcess.id(event));
      expect(await starter()(sandboxWebhookProcess, event)).toBe('already started');
    });

    test('starts a repeatable process again after it has ended', async () => {
      expect(await starter()(webhookSweepProcess, {})).toBe('started');
      expect(await starter()(webhookSweepProcess, {})).toBe('already started');
      await end(webhookSweepProcess.id({}));
      expect(await starter()(webhookSweepProcess, {})).toBe('started');
      await end(webhookSweepProcess.id({}));
    });
  });

  test('all workers of a provider’s queue together start no more calls per second than its limit', async () => {
    const workers = await createWorkers({
      connection: temporal.nativeConnection,
      namespace: temporal.namespace,
      queues: ['providers:sandbox', 'providers:stripe'],
      poolMax: 20,
      callLimits: { 'providers:sandbox': 7 },
      workflowBundle: { code: '' },
      activities: { call: () => Promise.resolve() },
    });
    const limits = workers.map(({ options }) => [options.taskQueue, options.maxTaskQueueActivitiesPerSecond]);
    await Promise.all(workers.map((worker) => worker.runUntil(Promise.resolve())));
    expect(limits).toEqual([
      ['providers:sandbox', 7],
      ['providers:stripe', undefined],
    ]);
  });
});

test('the outbox sender runs once, however many workers start it', async () => {
  const start = startProcesses(temporal.client);
  const starts = await Promise.all([1, 2, 3].map(() => start(outboxSenderProcess, {})));
  expect(starts.sort()).toEqual(['already started', 'already started', 'started']);
  const { status, taskQueue } = await temporal.client.workflow.getHandle('outbox-sender').describe();
  expect([status.name, taskQueue]).toEqual(['RUNNING', outboxSenderProcess.queue]);
});

describe('schedules', () => {
  it('brings the server in line with the table at every start of a worker', async () => {
    await Promise.all([reconcileSchedules(temporal.client), reconcileSchedules(temporal.client)]);
    await reconcileSchedules(temporal.client);
    await eventually(async () => {
      const found: string[] = [];
      for await (const { scheduleId } of temporal.client.schedule.list()) found.push(scheduleId);
      expect(found.sort()).toEqual(schedules.map(({ id }) => id).sort());
    });
    for (const { id, action: wanted, overlap } of schedules) {
      const { action, spec, policies } = await temporal.client.schedule.getHandle(id).describe();
      const { workflowType, taskQueue, args, staticSummary } = wanted;
      expect(action).toMatchObject({ workflowType, taskQueue, args, staticSummary });
      expect([...(spec.calendars ?? []), ...(spec.intervals ?? [])]).not.toEqual([]);
      expect(policies.overlap).toBe(overlap);
    }
  });

  it('gives every period of a pool and every day of a provider its run, and lets the next run of the others make up for a missed one', () => {
    const buffered = schedules.filter(({ overlap }) => overlap === ScheduleOverlapPolicy.BUFFER_ALL);
    expect(buffered.map(({ id }) => id).sort()).toEqual([
      'leadership-pool-monthly',
      'leadership-pool-weekly',
      'provider-reconciliation',
    ]);
    const rest = schedules.filter((one) => !buffered.includes(one));
    expect(new Set(rest.map(({ overlap }) => overlap))).toEqual(new Set([ScheduleOverlapPolicy.SKIP]));
  });

  it('keeps a schedule paused that an operator paused', async () => {
    await reconcileSchedules(temporal.client);
    const handle = temporal.client.schedule.getHandle('webhook-sweep');
    await handle.pause('looking into it');
    await reconcileSchedules(temporal.client);
    expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'looking into it' });
  });

  it('sweeps every minute and runs the rest at night (UTC)', async () => {
    await reconcileSchedules(temporal.client);
    const next = async (id: string): Promise<Date | undefined> =>
      (await temporal.client.schedule.getHandle(id).describe()).info.nextActionTimes[0];
    const minutes = ((await next('webhook-sweep'))!.getTime() - Date.now()) / 60_000;
    expect(minutes).toBeLessThanOrEqual(1);
    expect((await next('ledger-reconciliation'))?.toISOString()).toMatch(/T03:00:00.000Z$/);
    expect((await next('catalogue-popularity'))?.toISOString()).toMatch(/T00:30:00.000Z$/);
  });

  it('keeps the schedules of a newer worker: an older one restores nothing', async () => {
    const [moved, removed, ...rest] = schedules;
    const later = { ...moved!, spec: { intervals: [{ every: '5 minutes' as const }] } };
    await reconcileSchedules(temporal.client);
    const newer = { version: SCHEDULES_VERSION + 1, schedules: [later, ...rest] };
    await eventually(async () => {
      expect(await reconcileSchedules(temporal.client, newer)).toBe('done');
      await expect(temporal.client.schedule.getHandle(removed!.id).describe()).rejects.toThrow('not found');
    });

    expect(await reconcileSchedules(temporal.client)).toBe('newer');
    await expect(temporal.client.schedule.getHandle(removed!.id).describe()).rejects.toThrow('not found');
    const { spec } = await temporal.client.schedule.getHandle(moved!.id).describe();
    expect(spec.intervals).toMatchObject([{ every: 300_000 }]);
  });
});

const own = ownDatabase();

describe('queues', () => {
  // Queues of providers differ by whether they are for look-ups only.
  const some = [
    ...QUEUES.filter((queue) => !queue.startsWith('providers:')),
    ...queuesOf(['one', 'two', 'three', 'four'].map((code) => ({ code, lookUpsPerSecond: 1 }))),
  ];
  const subsets: Queue[][] = Array.from({ length: 2 ** some.length - 1 }, (_, index) =>
    some.filter((_queue, bit) => ((index + 1) >> bit) & 1),
  );

  /** The slots that share the pool: long work has a pool of its own. */
  const allSlots = (queues: Queue[], poolMax: number): number[] =>
    [...slotsFor(queues, { poolMax, eventConcurrency: 1 })].flatMap(([queue, slots]) => [
      ...(queue === 'long' ? [] : [slots.maxConcurrentActivityTaskExecutions]),
      ...(slots.maxConcurrentLocalActivityExecutions === undefined
        ? []
        : [slots.maxConcurrentLocalActivityExecutions]),
    ]);

  describe('slots', () => {
    test.each([20, 40, 200])('of every set of queues fit into a pool of %i', (poolMax) => {
      for (const queues of subsets) {
        const slots = allSlots(queues, poolMax);
        expect(Math.min(...slots)).toBeGreaterThanOrEqual(1);
        expect(slots.reduce((sum, count) => sum + count, 0)).toBeLessThan(poolMax);
      }
    });

    test('of the default worker are mostly for `interactive`', () => {
      const slots = slotsFor(QUEUES, {
        poolMax: WorkerConfig.parse(testVariables).WORKER_POOL_MAX,
        eventConcurrency: 1,
      });
      expect(slots.get('interactive')).toMatchObject({
        maxConcurrentLocalActivityExecutions: 6,
        maxConcurrentActivityTaskExecutions: 4,
      });
      expect(slots.get('long')).toMatchObject({ maxConcurrentActivityTaskExecutions: 4 });
      expect(slots.get('providers:stripe')).toMatchObject({ maxConcurrentActivityTaskExecutions: 2 });
      expect(slots.get('providers:stripe:lookup')).toMatchObject({ maxConcurrentActivityTaskExecutions: 1 });
    });

    test('of fewer queues are more', () => {
      const single = slotsFor(['interactive'], { poolMax: 40, eventConcurrency: 1 }).get('interactive');
      expect(single).toMatchObject({ maxConcurrentLocalActivityExecutions: 23 });
    });

    test('that do not fit into the pool are refused, with the required size', () => {
      const all = (poolMax: number) => slotsFor(QUEUES, { poolMax, eventConcurrency: 1 });
      // Two for each queue of processes, one for events and each provider's queue, and two that are reserved.
      const least = 3 * 2 + 1 + PROVIDER_QUEUES.length + 2;
      expect(() => all(least - 1)).toThrow(`WORKER_POOL_MAX must be at least ${least}`);
      expect(all(least).size).toBe(QUEUES.length);
    });

    test('of the consumers of events are one for each, with the connections of what they do at once', () => {
      const slots = slotsFor(['batch', 'events'], { poolMax: 20, eventConcurrency: 16 });
      expect(slots.get('events')).toMatchObject({ maxConcurrentActivityTaskExecutions: 1 });
      expect(slots.get('batch')).toMatchObject({ maxConcurrentActivityTaskExecutions: 1 });
      expect(() => slotsFor(['batch', 'events'], { poolMax: 19, eventConcurrency: 16 })).toThrow(
        'at least 20',
      );
    });
  });

  describe('WORKER_QUEUES', () => {
    test('names queues, or all provider queues at once; duplicates are ignored', () => {
      expect(queuesNamed('interactive, providers:stripe')).toEqual(['interactive', 'providers:stripe']);
      expect(queuesNamed('providers,batch,providers:mail')).toEqual([...PROVIDER_QUEUES, 'batch']);
      expect(WorkerConfig.parse(testVariables).WORKER_QUEUES).toEqual(QUEUES);
    });

    test.each(['', 'provider', 'interactive,', 'providers:paypal', 'providers:mail:lookup'])(
      'is refused as %p',
      (list) => {
        expect(WorkerConfig.safeParse({ WORKER_QUEUES: list }).success).toBe(false);
      },
    );
  });

  describe('providers', () => {
    test('each have a queue, and another one for look-ups if they can be asked what became of a call', () => {
      const queues: readonly Queue[] = PROVIDER_QUEUES;
      for (const driver of drivers) {
        const { code } = driver;
        expect(queues).toContain(providerQueue(code));
        const isAsked = ['payments', 'payouts', 'statement'].some((service) => service in driver);
        expect([code, queues.includes(lookupQueue(code))]).toEqual([code, isAsked]);
      }
      expect(new Set(queues).size).toBe(queues.length);
    });

    test('have names that no other queue, variable or row can be taken for', () => {
      const codes = drivers.map(({ code }) => code);
      expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
      expect(new Set(codes).size).toBe(codes.length);
    });

    test('each have a limit, except mail, which one activity sends', () => {
      const limits = callLimits(
        WorkerConfig.parse({ ...testVariables, BANK_FILE_LOOKUPS_PER_SECOND: '3' }),
        drivers,
      );
      expect(Object.keys(limits).sort()).toEqual(
        PROVIDER_QUEUES.filter((queue) => queue !== 'providers:mail').sort(),
      );
      expect(limits['providers:stripe']).toBe(50);
      expect(limits['providers:stripe:lookup']).toBe(20);
      expect(limits['providers:bank-file:lookup']).toBe(3);
    });
  });
});

describe('long work', () => {
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
    const sleeping: Whole = (_run, signal) =>
      inLongTransaction(longDb, signal, async (tx) => {
        await execute(tx, 'SELECT pg_sleep($1)', [seconds]);
        return { done: 0, words: 'Every balance is the sum of its entries.' };
      });
    const workers = await createWorkers({
      connection: temporal.nativeConnection,
      namespace: temporal.namespace,
      workflowBundle: workflowBundle(),
      queues: ['batch', 'long'],
      poolMax: 20,
      callLimits: {},
      activities: { ...jobActivities({ longDb, works: { [ledgerReconciliation.id]: sleeping } }) },
    });
    const ended = Promise.all(workers.map((one) => one.run()));
    return {
      stop: () => {
        for (const one of workers) one.shutdown();
        return ended;
      },
    };
  }

  const statements = () =>
    rows(
      own.db,
      `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(%'`,
    );

  test('a worker that stops ends its long statement at once, without an error; another worker starts it again', async () => {
    const first = await worker(120);
    const comparison = await startJob(temporal.client, ledgerReconciliation);
    await eventually(async () => expect(await statements()).toHaveLength(1));
    const stoppedAt = performance.now();
    await first.stop();
    expect(performance.now() - stoppedAt).toBeLessThan(120_000); // The statement's own time.
    expect(await statements()).toEqual([]);
    const second = await worker(0);
    expect(await comparison.result()).toEqual({
      done: 0,
      words: 'Every balance is the sum of its entries.',
    });
    await second.stop();
  });
});
