import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { KeyRing } from '../../../../db/sealing/key-ring';
import { execute, rows } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { queueMail, recordingMail, stored } from './outbox.world';

const own = ownDatabase();

beforeEach(() => execute(own.db, 'DELETE FROM outbox_messages'));

test('what a message says is sealed while it waits, and forgotten when it is out', async () => {
  await queueMail(own.db, 'registration', { token: 'secret-token', text: 'Your link: secret-token' });
  expect(await stored(own.db, 'registration')).toMatchObject({
    status: 'WAITING',
    sealed: true,
    plain: false,
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
    plain: false,
  });
});

test('a message of an earlier version, in plain words, still goes out and is forgotten', async () => {
  const mail = recordingMail();
  await execute(
    own.db,
    `INSERT INTO outbox_messages (id, kind, reference, recipient, payload, status, due_at, created_at)
     VALUES (gen_random_uuid(), 'MAIL', 'old', 'ada@example.com',
       '{"subject": "Old", "text": "Hello", "html": "<p>Hello</p>"}', 'WAITING', now(), now())`,
  );
  expect(await sendBatch(own.db, mail)).toEqual(['sent']);
  expect(mail.mails).toMatchObject([{ to: 'ada@example.com', subject: 'Old' }]);
  expect(await stored(own.db, 'old')).toMatchObject({ status: 'SENT', plain: false });
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
