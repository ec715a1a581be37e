import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { UndeliverableMail } from '../../../../activities/providers/mail/port';
import { deadMessages } from '../../../../db/administration/outbox/dead-message.reads';
import { claimDue, markDead, markSent } from '../../../../db/administration/outbox/outbox.transitions';
import { withdrawMail } from '../../../../db/administration/outbox/outbox.writes';
import { forgetExpired } from '../../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { KeyRing } from '../../../../db/sealing/key-ring';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { MOST_TRIES } from '../../../../workflows/administration/outbox/outbox.rules';
import { eventually } from '../../../support/checks/eventually';
import { ownDatabase } from '../../../support/servers/database';
import { queueMail, queueSms, recordingMail, stored, timePasses } from './outbox.world';

const own = ownDatabase();
beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

const refused = () => {
  throw new UndeliverableMail('no such mailbox');
};

/** Why the message cannot be sent again; null: it can. */
const goneOf = async (reference: string): Promise<string | null> => {
  const { messages } = await deadMessages(
    own.db,
    { kind: null, resendable: null },
    { limit: 100, offset: 0 },
  );
  return messages.find((message) => message.reference === reference)!.gone;
};

test('a message that is given up keeps its content, sealed, and the time', async () => {
  await queueMail(own.db, 'order:1:paid', { text: 'Thank you, Ada.' });
  expect(await sendBatch(own.db, recordingMail(refused))).toEqual(['dead']);
  expect(await stored(own.db, 'order:1:paid')).toMatchObject({ status: 'DEAD', sealed: true });
  expect(await goneOf('order:1:paid')).toBeNull();
  const kept = await firstRow(
    own.db,
    `SELECT now() - dead_at < interval '1 minute' AS now FROM outbox_messages`,
  );
  expect(kept).toEqual({ now: true });
});

test('one with a token or a code does not: its recipient asks for a new one', async () => {
  await queueMail(own.db, 'reset', { token: 'secret-token' });
  await queueMail(own.db, 'mailed code', { code: '123456' });
  await sendBatch(own.db, recordingMail(refused));
  await queueSms(own.db, 'code', { code: '123456' });
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await sendBatch(own.db, {
      ...recordingMail(),
      sms: { send: () => Promise.reject(new Error('connection refused')) },
    });
    await timePasses(own.db);
  }
  for (const reference of ['reset', 'mailed code', 'code']) {
    expect(await stored(own.db, reference)).toMatchObject({ status: 'DEAD', sealed: false });
    expect([reference, await goneOf(reference)]).toEqual([reference, 'EXPIRED']);
  }
});

test('one whose key is not on the ring stays: the key may come back', async () => {
  const strange: Db = { ...own.db, keys: new KeyRing([{ id: 'lost', key: Buffer.alloc(32, 5) }]) };
  await queueMail(strange, 'unreadable', { token: 'secret-token' });
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await sendBatch(own.db, recordingMail());
    await timePasses(own.db);
  }
  expect(await stored(own.db, 'unreadable')).toMatchObject({ status: 'DEAD', sealed: true });
  expect(await goneOf('unreadable')).toBeNull();
});

test('one whose content was withdrawn says so; others of the same kind stay', async () => {
  await queueMail(own.db, 'order:1:placed');
  await queueMail(own.db, 'order:2:placed');
  await sendBatch(own.db, recordingMail(refused));
  await inTransaction(own.db, (tx) => withdrawMail(tx, 'order:1:placed'));
  expect(await goneOf('order:1:placed')).toBe('WITHDRAWN');
  expect(await goneOf('order:2:placed')).toBeNull();
  await queueMail(own.db, 'order:3:placed');
  await inTransaction(own.db, (tx) => withdrawMail(tx, 'order:3:placed'));
  expect(await rows(own.db, `SELECT 1 FROM outbox_messages WHERE reference = 'order:3:placed'`)).toEqual([]);
});

describe('one that is withdrawn after its first try', () => {
  const failing = () => {
    throw new Error('connection refused');
  };
  const withdraw = (reference = 'order:4:placed') =>
    inTransaction(own.db, (tx) => withdrawMail(tx, reference));
  beforeEach(async () => {
    await queueMail(own.db, 'order:4:placed');
    expect(await sendBatch(own.db, recordingMail(failing))).toEqual(['failed']);
  });

  test('while it waits for the next: it is not sent again, and the last error stays', async () => {
    await withdraw();
    await timePasses(own.db);
    const mail = recordingMail();
    expect(await sendBatch(own.db, mail)).toEqual(['dead']);
    expect(mail.mails).toEqual([]);
    expect(await stored(own.db, 'order:4:placed')).toMatchObject({
      ...{ status: 'DEAD', sealed: false, lastError: 'connection refused' },
    });
    expect(await goneOf('order:4:placed')).toBe('WITHDRAWN');
  });

  test('during a try that is the last: its content goes when it is given up', async () => {
    await timePasses(own.db);
    const [claimed] = await claimDue(own.db, 1, 60_000);
    await withdraw();
    await markDead(own.db, claimed!, 'no such mailbox', { holdsSecret: false });
    expect(await stored(own.db, 'order:4:placed')).toMatchObject({ status: 'DEAD', sealed: false });
    expect(await goneOf('order:4:placed')).toBe('WITHDRAWN');
  });

  test('during a try that fails: there is no other one', async () => {
    await timePasses(own.db);
    await sendBatch(own.db, {
      ...recordingMail(),
      mail: {
        async send() {
          await withdraw();
          failing();
        },
      },
    });
    expect(await stored(own.db, 'order:4:placed')).toMatchObject({ status: 'WAITING', attempts: 2 });
    await timePasses(own.db);
    const mail = recordingMail();
    expect([await sendBatch(own.db, mail), mail.mails]).toEqual([['dead'], []]);
  });

  test('during a try that succeeds: it is sent', async () => {
    await timePasses(own.db);
    const [claimed] = await claimDue(own.db, 1, 60_000);
    await withdraw();
    await markSent(own.db, claimed!.id);
    expect(await stored(own.db, 'order:4:placed')).toMatchObject({ status: 'SENT', sealed: false });
  });

  test('while its first try begins: the withdrawal waits for that, and marks it', async () => {
    await queueMail(own.db, 'order:5:placed');
    let withdrawn: Promise<unknown> = Promise.resolve();
    await inTransaction(own.db, async (tx) => {
      expect(await claimDue(tx, 10, 60_000)).toHaveLength(1);
      withdrawn = withdraw('order:5:placed');
      await eventually(async () =>
        expect(
          await rows(
            own.db,
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'`,
          ),
        ).toHaveLength(1),
      );
    });
    await withdrawn;
    await timePasses(own.db);
    expect((await sendBatch(own.db, recordingMail())).sort()).toEqual(['dead', 'sent']);
    expect(await goneOf('order:5:placed')).toBe('WITHDRAWN');
  });

  test('the database lets none be given up with its content', async () => {
    await withdraw();
    await expect(
      execute(own.db, `UPDATE outbox_messages SET status = 'DEAD', dead_at = now()`),
    ).rejects.toThrow('outbox_messages_withdrawn_check');
  });
});

test('after its days the content is erased, and not before; the row says so', async () => {
  const policy = policyFrom({ POLICY_DEAD_MESSAGE_DAYS: '14' });
  await queueMail(own.db, 'old');
  await queueMail(own.db, 'young');
  await sendBatch(own.db, recordingMail(refused));
  const age = (reference: string, days: string) =>
    execute(
      own.db,
      `UPDATE outbox_messages SET dead_at = now() - $2::interval, due_at = dead_at WHERE reference = $1`,
      [reference, days],
    );
  await age('old', '14 days 1 minute');
  await age('young', '14 days -1 minute');
  expect((await forgetExpired(own.db, new Date(), policy)).outboxMessages).toBe(1);
  expect([await goneOf('old'), await goneOf('young')]).toEqual(['ERASED', null]);
  expect((await forgetExpired(own.db, new Date(), policy)).outboxMessages).toBe(0);
});

test.each([
  ['without the time', `status = 'DEAD'`, 'outbox_messages_dead_check'],
  [
    'without its content, and why it has none',
    `status = 'DEAD', dead_at = now(), sealed_payload = NULL`,
    'outbox_messages_payload_check',
  ],
])('the database lets none be given up %s', async (_, changes, constraint) => {
  await queueMail(own.db, 'kept');
  await expect(execute(own.db, `UPDATE outbox_messages SET ${changes}`)).rejects.toThrow(constraint);
});
