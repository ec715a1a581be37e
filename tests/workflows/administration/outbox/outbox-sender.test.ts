import { ApplicationFailure } from '@temporalio/common';
import { outboxActivities } from '../../../../activities/administration/outbox/outbox.activities';
import { createWorkers } from '../../../../workers/workers';
import {
  outboxSenderProcess,
  type OutboxActivities,
} from '../../../../workflows/administration/outbox/outbox-sender.contract';
import { queueMail, recordingMail } from '../../../activities/administration/outbox/outbox.world';
import { workflowBundle } from '../../../support/run/bundle';
import { ownDatabase } from '../../../support/servers/database';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { connectTemporal, type TestTemporal } from '../../../support/servers/temporal';

const own = ownDatabase();
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** Workers for the process and for its calls, while something happens. */
async function serving(activities: OutboxActivities, happens: () => Promise<void>): Promise<void> {
  const workers = await createWorkers({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    queues: ['batch', 'providers:mail'],
    poolMax: 20,
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

const start = () =>
  temporal.client.workflow.start(outboxSenderProcess.type, {
    workflowId: outboxSenderProcess.id({}),
    taskQueue: outboxSenderProcess.queue,
    args: [{}],
  });

test('one stretch of sending follows the other, each with a fresh history', async () => {
  let stretches = 0;
  let enough: () => void = () => undefined;
  const three = new Promise<void>((resolve) => (enough = resolve));
  const sendOutbox = async ({ forMs }: { forMs: number }) => {
    expect(forMs).toBe(600_000);
    if (++stretches === 3) enough();
    return { sent: 2, failed: 1, dead: 0 };
  };
  await serving({ sendOutbox }, async () => {
    const { firstExecutionRunId } = await start();
    await three;
    const run = temporal.client.workflow.getHandle(outboxSenderProcess.id({}), firstExecutionRunId);
    const first = await run.describe();
    expect(first.status.name).toBe('CONTINUED_AS_NEW');
    expect(first.historyLength).toBeLessThan(15);
    await keepHistory(run, 'one-stretch', firstExecutionRunId);
    await temporal.client.workflow.getHandle(outboxSenderProcess.id({})).terminate();
  });
});

test('a stretch that failed for good is followed by another', async () => {
  let stretches = 0;
  let isSent: () => void = () => undefined;
  const second = new Promise<void>((resolve) => (isSent = resolve));
  const sendOutbox = () => {
    if (++stretches === 1) throw ApplicationFailure.nonRetryable('the mail server is gone', 'Gone');
    isSent();
    return Promise.resolve({ sent: 1, failed: 0, dead: 0 });
  };
  await serving({ sendOutbox }, async () => {
    await start();
    await second;
    await temporal.client.workflow.getHandle(outboxSenderProcess.id({})).terminate();
  });
});

test('a worker that stops lets go at once, and the next one goes on sending', async () => {
  const mail = recordingMail();
  const activities = outboxActivities({ db: own.db, databaseUrl: own.url, drivers: mail });
  const sent = (count: number) => eventually(() => expect(mail.mails).toHaveLength(count));
  await start();

  await serving(activities, async () => {
    await queueMail(own.db, 'first');
    await sent(1);
  });
  await queueMail(own.db, 'while nobody works');
  await serving(activities, async () => {
    await sent(2);
    await queueMail(own.db, 'third');
    await sent(3);
  });
  await temporal.client.workflow.getHandle(outboxSenderProcess.id({})).terminate();
});
