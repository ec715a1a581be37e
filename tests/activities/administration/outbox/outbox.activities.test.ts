import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { outboxActivities } from '../../../../activities/administration/outbox/outbox.activities';
import { listenToOutbox } from '../../../../db/administration/outbox/outbox-channel';
import { execute, firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { queueMail, recordingMail } from './outbox.world';

const own = ownDatabase();
const never = new AbortController().signal;
const AGES_MS = 600_000;
const quietEnvironment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

const listening = async (): Promise<boolean> => {
  const found = await firstRow<{ count: number }>(
    own.db,
    `SELECT count(*) FROM pg_stat_activity
       WHERE application_name = 'outbox' AND datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`,
  );
  return found?.count === 1;
};

const start = (mail = recordingMail()) => {
  const environment = quietEnvironment();
  const activities = outboxActivities({ db: own.db, databaseUrl: own.url, drivers: mail });
  const ended = environment.run(activities.sendOutbox, { forMs: AGES_MS });
  return { mail, ended, stop: () => environment.cancel() };
};

test('sends what is committed while it waits, ends when it is told to, and leaves no connection', async () => {
  const received = new Set<string>();
  let arrived: () => void = () => undefined;
  const sender = start(
    recordingMail(({ subject }) => {
      received.add(subject);
      if (received.size === 3) arrived();
    }),
  );
  const all = new Promise<void>((resolve) => (arrived = resolve));
  while (!(await listening()));
  for (const subject of ['one', 'two', 'three']) await queueMail(own.db, subject, { subject });
  await all;
  sender.stop();
  expect(await sender.ended).toEqual({ sent: 3, failed: 0, dead: 0 });
  while (await listening());
});

test('a stretch ends when its time is over', async () => {
  const environment = quietEnvironment();
  const { sendOutbox } = outboxActivities({ db: own.db, databaseUrl: own.url, drivers: recordingMail() });
  expect(await environment.run(sendOutbox, { forMs: 1 })).toEqual({ sent: 0, failed: 0, dead: 0 });
});

test('a database that is away fails the stretch, so that Temporal tries another', async () => {
  const databaseUrl = own.url.replace(/[^/]+$/, 'nowhere');
  const { sendOutbox } = outboxActivities({ db: own.db, databaseUrl, drivers: recordingMail() });
  await expect(quietEnvironment().run(sendOutbox, { forMs: AGES_MS })).rejects.toThrow('nowhere');
});

describe('the listener', () => {
  test('receives a commit, also one from before the call', async () => {
    const listener = await listenToOutbox(own.url);
    const waiting = listener.nextAnnouncement(AGES_MS, never);
    await queueMail(own.db, 'heard while waiting');
    await waiting;
    await queueMail(own.db, 'heard before waiting');
    await listener.nextAnnouncement(AGES_MS, never);
    await listener.close();
  });

  test('does not wait when it is to stop', async () => {
    const listener = await listenToOutbox(own.url);
    await listener.nextAnnouncement(AGES_MS, AbortSignal.abort());
    const stop = new AbortController();
    const waiting = listener.nextAnnouncement(AGES_MS, stop.signal);
    stop.abort();
    await waiting;
    await listener.close();
  });

  test('is only deaf when its connection is lost', async () => {
    const listener = await listenToOutbox(own.url);
    await execute(
      own.db,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'outbox' AND datname = current_database()`,
    );
    while (await listening());
    await listener.nextAnnouncement(1, never);
    await listener.close();
  });
});
