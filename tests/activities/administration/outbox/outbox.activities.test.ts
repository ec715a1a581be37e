import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { outboxActivities } from '../../../../activities/administration/outbox/outbox.activities';
import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { fileMail } from '../../../../activities/providers/mail/file';
import { UndeliverableSms } from '../../../../activities/providers/sms/port';
import { listenToOutbox } from '../../../../db/administration/outbox/outbox-channel';
import { claimDue } from '../../../../db/administration/outbox/outbox.transitions';
import { enqueueMail } from '../../../../db/administration/outbox/outbox.writes';
import { KeyRing } from '../../../../db/sealing/key-ring';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { MOST_TRIES } from '../../../../workflows/administration/outbox/outbox.rules';
import { ownDatabase } from '../../../support/servers/database';
import {
  byMail,
  mailFolder,
  mailTo,
  queueMail,
  queueSms,
  recordingMail,
  stored,
  timePasses,
} from './outbox.world';

const own = ownDatabase();

describe('outbox', () => {
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
});

describe('a batch', () => {
  beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

  const refuseConnection = () => {
    throw new Error('connection refused');
  };

  test('what is committed is sent once; what is rolled back never was', async () => {
    const mail = recordingMail();
    const failing = inTransaction(own.db, async (tx) => {
      await enqueueMail(tx, mailTo('rolled back'));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await queueMail(own.db, 'committed', { token: 'secret-token', code: '123456' });

    expect(await sendBatch(own.db, mail)).toEqual(['sent']);
    expect(await sendBatch(own.db, mail)).toEqual([]);
    const { reference: _, ...content } = mailTo('committed');
    expect(mail.mails).toEqual([
      { id: expect.any(String), ...content, token: 'secret-token', code: '123456' },
    ]);
  });

  test('an event repeated owes nothing twice, not even after its mail is out', async () => {
    const mail = recordingMail();
    await queueMail(own.db, 'order:1:paid');
    await queueMail(own.db, 'order:1:paid', { subject: 'Again' });
    expect(await sendBatch(own.db, mail)).toEqual(['sent']);
    await queueMail(own.db, 'order:1:paid');
    expect(await sendBatch(own.db, mail)).toEqual([]);
    expect(mail.mails.map(({ subject }) => subject)).toEqual(['Confirm your address']);
  });

  test('senders that race share the work: every message goes out exactly once', async () => {
    const mail = recordingMail();
    await Promise.all(Array.from({ length: 60 }, (_, n) => queueMail(own.db, `race:${n}`)));
    const drain = async () => {
      while ((await sendBatch(own.db, mail)).length > 0);
    };
    await Promise.all([drain(), drain(), drain()]);
    expect(mail.mails).toHaveLength(60);
    expect(new Set(mail.mails.map(({ id }) => id)).size).toBe(60);
  });

  test('eight senders that look at the same moment never take the same message', async () => {
    const senders = Array.from({ length: 8 });
    // Opened connections, so that the eight statements really meet.
    await Promise.all(senders.map(() => execute(own.db, 'SELECT pg_sleep(0.2)')));
    for (let round = 0; round < 12; round++) {
      const mail = recordingMail();
      await Promise.all(Array.from({ length: 10 }, (_, n) => queueMail(own.db, `round:${round}:${n}`)));
      const outcomes = (await Promise.all(senders.map(() => sendBatch(own.db, mail)))).flat();
      const left = await Promise.all(senders.map(() => sendBatch(own.db, mail)));
      expect([...outcomes, ...left.flat()]).toEqual(Array(10).fill('sent'));
      expect(new Set(mail.mails.map(({ id }) => id)).size).toBe(10);
    }
  });

  test('a provider that fails twice is asked again, later and later, and then the mail is out', async () => {
    let tries = 0;
    const mail = recordingMail(() => {
      if (++tries <= 2) refuseConnection();
    });
    await queueMail(own.db, 'stubborn');
    const around = (ms: number) => ({ low: ms - 900, high: ms });
    for (const { low, high } of [around(1_000), around(4_000)]) {
      expect(await sendBatch(own.db, mail)).toEqual(['failed']);
      const { waitMs, ...message } = await stored(own.db, 'stubborn');
      expect(message).toMatchObject({ status: 'WAITING', lastError: 'connection refused' });
      expect(waitMs).toBeGreaterThan(low);
      expect(waitMs).toBeLessThanOrEqual(high);
      await timePasses(own.db);
    }
    expect(await sendBatch(own.db, mail)).toEqual(['sent']);
    expect(await stored(own.db, 'stubborn')).toMatchObject({ status: 'SENT', attempts: 3, lastError: null });
  });

  test('after the last try a message is given up, with the reason, and left alone', async () => {
    const mail = recordingMail(refuseConnection);
    await queueMail(own.db, 'hopeless');
    const outcomes: string[] = [];
    for (let tries = 0; tries < MOST_TRIES + 2; tries++) {
      outcomes.push(...(await sendBatch(own.db, mail)));
      await timePasses(own.db);
    }
    expect(outcomes).toEqual([...Array<string>(MOST_TRIES - 1).fill('failed'), 'dead']);
    expect(mail.mails).toHaveLength(MOST_TRIES);
    expect(await stored(own.db, 'hopeless')).toMatchObject({
      status: 'DEAD',
      attempts: MOST_TRIES,
      lastError: 'connection refused',
      sealed: true,
    });
  });

  test('one message that fails does not hold up the others', async () => {
    const mail = recordingMail(({ subject }) => {
      if (subject === 'bad') refuseConnection();
    });
    await queueMail(own.db, 'first', { subject: 'bad' });
    await queueMail(own.db, 'second');
    expect((await sendBatch(own.db, mail)).sort()).toEqual(['failed', 'sent']);
  });

  test.each([
    ['a second recipient', { to: 'ada@example.com,eve@example.com' }],
    ['a second recipient with a name', { to: 'Ada <ada@example.com> eve@example.com' }],
    ['a header in the recipient', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['a header in the subject', { subject: 'Hello\r\nBcc: eve@example.com' }],
    ['a line end in the subject', { subject: 'Hello\nworld' }],
    ['no recipient', { to: '' }],
  ])('%s never reaches the provider', async (_, more) => {
    const mail = recordingMail();
    await queueMail(own.db, 'forged', more);
    expect(await sendBatch(own.db, mail)).toEqual(['dead']);
    expect(mail.mails).toEqual([]);
    expect(await stored(own.db, 'forged')).toMatchObject({ status: 'DEAD', attempts: 1 });
  });

  test('a sender killed after it sent: the mail goes out again and is visible once', async () => {
    const { folder, files, read, remove } = await mailFolder();
    await queueMail(own.db, 'killed', { token: 'secret-token' });
    const [claimed] = await claimDue(own.db, 10, 60_000);
    await fileMail(folder).send({ ...mailTo('killed'), id: claimed!.id, token: 'secret-token' });
    // Here it dies. While its claim lasts nobody else sends; then somebody does.
    expect(await sendBatch(own.db, byMail(fileMail(folder)))).toEqual([]);
    await timePasses(own.db);
    expect(await sendBatch(own.db, byMail(fileMail(folder)))).toEqual(['sent']);

    expect(await files()).toEqual([`${claimed!.id}.json`]);
    const { reference: _, ...content } = mailTo('killed');
    expect(await read(`${claimed!.id}.json`)).toEqual({ id: claimed!.id, ...content, token: 'secret-token' });
    expect(await stored(own.db, 'killed')).toMatchObject({ status: 'SENT', attempts: 2 });
    await remove();
  });

  test('a message that kills every sender is given up in the end', async () => {
    const mail = recordingMail();
    await queueMail(own.db, 'poison');
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      expect(await claimDue(own.db, 10, 60_000)).toHaveLength(1);
      await timePasses(own.db);
    }
    expect(await sendBatch(own.db, mail)).toEqual(['dead']);
    expect(mail.mails).toEqual([]);
  });

  test('a sender that was thought dead does not undo what its successor did', async () => {
    let slow: () => void = () => undefined;
    const stuck = {
      send: () => new Promise<void>((_, reject) => (slow = () => reject(new Error('timed out')))),
    };
    await queueMail(own.db, 'slow');
    const first = sendBatch(own.db, byMail(stuck));
    while ((await stored(own.db, 'slow')).attempts === 0);
    await timePasses(own.db);
    await claimDue(own.db, 10, 60_000);
    slow();
    expect(await first).toEqual(['failed']);
    const { waitMs, lastError } = await stored(own.db, 'slow');
    expect(lastError).toBeNull();
    expect(waitMs).toBeGreaterThan(30_000);
  });
});

describe('outbox-texts', () => {
  beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

  describe('a text message', () => {
    test('goes its own way, with its code, and is kept without it', async () => {
      const drivers = recordingMail();
      await queueSms(own.db, 'phone:1', { text: 'Your code: 123456', code: '123456' });
      await queueMail(own.db, 'mail:1');
      expect(await sendBatch(own.db, drivers)).toEqual(['sent', 'sent']);
      expect(drivers.texts).toEqual([
        { id: expect.any(String), to: '+4915112345678', text: 'Your code: 123456', code: '123456' },
      ]);
      expect(drivers.mails.map(({ to }) => to)).toEqual(['ada@example.com']);
      expect(await stored(own.db, 'phone:1')).toMatchObject({ status: 'SENT', sealed: false });
    });

    test.each([
      '',
      '015112345678',
      '+4915112345678,+4915112345679',
      '+49 151 1',
      '+0123456789',
      'ada@example.com',
    ])('to %j never reaches the provider', async (to) => {
      const drivers = recordingMail();
      await queueSms(own.db, 'forged', { to });
      expect(await sendBatch(own.db, drivers)).toEqual(['dead']);
      expect(drivers.texts).toEqual([]);
    });

    test('that no try will deliver is given up at once', async () => {
      const drivers = recordingMail();
      drivers.sms.send = () => Promise.reject(new UndeliverableSms('no such number'));
      await queueSms(own.db, 'nobody');
      expect(await sendBatch(own.db, drivers)).toEqual(['dead']);
      expect(await stored(own.db, 'nobody')).toMatchObject({ status: 'DEAD', lastError: 'no such number' });
    });
  });
});

describe('sealed parts', () => {
  beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

  test('what a message says is sealed while it waits, and forgotten when it is out', async () => {
    await queueMail(own.db, 'registration', { token: 'secret-token', text: 'Your link: secret-token' });
    expect(await stored(own.db, 'registration')).toMatchObject({
      status: 'WAITING',
      sealed: true,
    });
    const dump = await rows<{ text: string }>(
      own.db,
      `SELECT m::text || encode(sealed_payload, 'escape') AS text FROM outbox_messages m`,
    );
    expect(dump.map(({ text }) => text).join()).not.toMatch(/secret-token|Your link/);
    await sendBatch(own.db, recordingMail());
    expect(await stored(own.db, 'registration')).toMatchObject({
      status: 'SENT',
      sealed: false,
    });
  });

  test('a message whose key is not on the ring waits for it, and holds up no other', async () => {
    const mail = recordingMail();
    const strange = new KeyRing([{ id: 'lost', key: Buffer.alloc(32, 5) }]);
    await queueMail({ ...own.db, keys: strange }, 'unreadable');
    await queueMail(own.db, 'readable');
    expect((await sendBatch(own.db, mail)).sort()).toEqual(['failed', 'sent']);
    expect(await stored(own.db, 'unreadable')).toMatchObject({
      status: 'WAITING',
      sealed: true,
      lastError: expect.stringContaining('not on the ring'),
    });
  });
});
