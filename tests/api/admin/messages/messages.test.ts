import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { UndeliverableMail, type Mail } from '../../../../activities/providers/mail/port';
import { enqueueMail, enqueueSms, withdrawMail } from '../../../../db/administration/outbox/outbox.writes';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { verifyAuditChain } from '../../../../db/administration/audit/audit.reads';
import { MOST_TRIES } from '../../../../workflows/administration/outbox/outbox.rules';
import { recordingMail, timePasses } from '../../../activities/administration/outbox/outbox.world';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  // No worker: the tests send the messages.
  staff = await startAdminWorld({ worker: false });
});
afterAll(() => staff.world.teardown());
beforeEach(() => execute(staff.world.db, 'DELETE FROM outbox_messages'));

const refuses = (said: string) => () => {
  throw new UndeliverableMail(said);
};

interface Dead {
  reference?: string;
  token?: string;
  said?: string;
  to?: string;
}

/** A mail that was given up; answers its id. */
async function dead({ reference = randomUUID(), token, to = 'ada@example.com', said = 'no' }: Dead = {}) {
  const { db } = staff.world;
  const content = { subject: 'Paid', text: 'Thank you.', html: '<p>Thank you.</p>' };
  await inTransaction(db, (tx) =>
    enqueueMail(tx, { reference, to, ...content, ...(token !== undefined && { token }) }),
  );
  expect(await sendBatch(db, recordingMail(refuses(said)))).toEqual(['dead']);
  return (await firstRow<{ id: string }>(db, 'SELECT id FROM outbox_messages WHERE reference = $1', [
    reference,
  ]))!.id;
}

const list = (query = '', token?: string | null) =>
  staff.ask('get', `/admin/messages${query}`, undefined, token);
const resend = (id: string, token?: string | null) =>
  staff.ask('post', `/admin/messages/${id}/resend`, {}, token);
const resentUnder = (id: string, key: string) =>
  staff.world.http
    .post(`/api/v1/admin/messages/${id}/resend`)
    .auth(staff.tokens.admin, { type: 'bearer' })
    .set('Idempotency-Key', key)
    .send({});
const sent = async (): Promise<Mail[]> => {
  const mail = recordingMail();
  await sendBatch(staff.world.db, mail);
  return mail.mails;
};
const records = (id: string) =>
  rows(
    staff.world.db,
    `SELECT actor_id, action, previous, next FROM audit_records WHERE entity_type = 'message' AND entity_id = $1`,
    [id],
  );

const Message = z.strictObject({
  id: z.uuid(),
  kind: z.enum(['MAIL', 'SMS']),
  reference: z.string(),
  recipient: z.string(),
  attempts: z.int(),
  lastError: z.string().nullable(),
  createdAt: z.iso.datetime(),
  givenUpAt: z.iso.datetime(),
  resendable: z.boolean(),
  notResendable: z.enum(['EXPIRED', 'ERASED', 'WITHDRAWN']).nullable(),
});

describe('GET /admin/messages', () => {
  test('shows what was given up, newest first, with addresses masked wherever they stand', async () => {
    const said = '550 5.1.1 <ADA@example.com>: no mailbox; ask postmaster@mail.example.com';
    const first = await dead({ reference: 'order:1:paid', said });
    const second = await dead({ token: 'secret-token' });
    const { status, body } = await list();
    expect(status).toBe(200);
    const messages = z.array(Message).parse(body.data.messages);
    expect(messages.map(({ id }) => id)).toEqual([second, first]);
    expect(messages[1]).toMatchObject({
      ...{ kind: 'MAIL', reference: 'order:1:paid', recipient: 'a***@example.com', attempts: 1 },
      lastError: '550 5.1.1 <A***@example.com>: no mailbox; ask p***@mail.example.com',
      ...{ resendable: true, notResendable: null, givenUpAt: expect.any(String) },
    });
    expect(messages[0]).toMatchObject({ resendable: false, notResendable: 'EXPIRED' });
    expect(JSON.stringify(body)).not.toMatch(/ada@|postmaster@|secret-token|Thank you/i);
  });

  test('has text messages too, whose number is masked, by kind and page by page', async () => {
    const { db } = staff.world;
    await dead();
    await inTransaction(db, (tx) => enqueueSms(tx, { reference: 'sms', to: '+4915112345678', text: 'x' }));
    const gateway = { ...recordingMail(), sms: { send: () => Promise.reject(new Error('no answer')) } };
    await sendBatch(db, gateway);
    await execute(db, `UPDATE outbox_messages SET attempts = 13, due_at = now() WHERE kind = 'SMS'`);
    await sendBatch(db, gateway);
    const { messages } = (await list('?kind=SMS')).body.data as { messages: object[] };
    expect(messages).toMatchObject([
      { kind: 'SMS', recipient: '+49*****678', lastError: 'Every sender died over this message.' },
    ]);
    expect((await list('?kind=MAIL')).body.meta.pagination.total).toBe(1);
    const page = await list('?page=2&pageSize=1');
    expect(page.body.meta.pagination).toMatchObject({ page: 2, total: 2, hasNext: false });
    expect(page.body.data.messages).toMatchObject([{ kind: 'MAIL' }]);
    for (const wrong of ['?kind=FAX', '?page=0', '?pageSize=101'])
      expect(outcomeOf(await list(wrong))).toBe('400 VALIDATION_ERROR');
  });

  test('neither what waits nor what is sent is there', async () => {
    const id = await dead();
    await resend(id);
    expect((await list()).body.data.messages).toEqual([]);
    expect(await sent()).toHaveLength(1);
    expect((await list()).body.data.messages).toEqual([]);
  });

  test('is for administrators', async () => {
    expect(outcomeOf(await list('', staff.tokens.user))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
  });
});

describe('POST /admin/messages/:id/resend', () => {
  test('a dead mail is sent once, to the same address, and leaves the list', async () => {
    const id = await dead({ reference: 'order:2:paid' });
    const answer = await resend(id);
    expect([answer.status, answer.body.data]).toEqual([200, { id, status: 'WAITING' }]);
    expect(await sent()).toMatchObject([{ id, to: 'ada@example.com', subject: 'Paid', text: 'Thank you.' }]);
    expect(await sent()).toEqual([]);
    expect(await records(id)).toEqual([
      {
        ...{ actorId: staff.admin.id, action: 'message.resend' },
        previous: { status: 'DEAD', attempts: 1 },
        next: { status: 'WAITING', kind: 'MAIL', reference: 'order:2:paid' },
      },
    ]);
    expect(outcomeOf(await resend(id))).toBe('409 NOT_DEAD');
    expect((await verifyAuditChain(staff.world.db)).valid).toBe(true);
  });

  test('ten at once: it is queued once and sent once', async () => {
    const id = await dead();
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(id)));
    expect(answers.map(outcomeOf).sort()).toEqual(['200', ...Array<string>(9).fill('409 NOT_DEAD')]);
    const [one, other] = [recordingMail(), recordingMail()];
    await Promise.all([sendBatch(staff.world.db, one), sendBatch(staff.world.db, other)]);
    expect([...one.mails, ...other.mails]).toHaveLength(1);
    expect(await records(id)).toHaveLength(1);
  });

  test('the same request again gets the same answer, also after the mail was given up anew', async () => {
    const id = await dead();
    const key = randomUUID();
    expect((await resentUnder(id, key)).status).toBe(200);
    await sendBatch(staff.world.db, recordingMail(refuses('still no')));
    const again = await resentUnder(id, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(await sent()).toEqual([]);
    expect(await records(id)).toHaveLength(1);
    // A new decision sends it again, with new tries.
    expect((await resentUnder(id, randomUUID())).status).toBe(200);
    expect(await sent()).toHaveLength(1);
  });

  test.each([
    ['held a secret', 'MESSAGE_EXPIRED', () => dead({ token: 'secret-token' })],
    [
      'was withdrawn',
      'MESSAGE_WITHDRAWN',
      async () => {
        const id = await dead({ reference: 'order:3:placed' });
        await inTransaction(staff.world.db, (tx) => withdrawMail(tx, 'order:3:placed'));
        return id;
      },
    ],
    [
      'was withdrawn between two tries',
      'MESSAGE_WITHDRAWN',
      async () => {
        const { db } = staff.world;
        const content = { to: 'ada@example.com', subject: 'Please pay', text: 'Pay.', html: '<p>Pay.</p>' };
        await inTransaction(db, (tx) => enqueueMail(tx, { reference: 'order:4:placed', ...content }));
        const failing = recordingMail(() => {
          throw new Error('connection refused');
        });
        expect(await sendBatch(db, failing)).toEqual(['failed']);
        await inTransaction(db, (tx) => withdrawMail(tx, 'order:4:placed'));
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          await timePasses(db);
          await sendBatch(db, failing);
        }
        expect(failing.mails).toHaveLength(1);
        return (await firstRow<{ id: string }>(db, 'SELECT id FROM outbox_messages'))!.id;
      },
    ],
    [
      'was erased',
      'MESSAGE_ERASED',
      async () => {
        const id = await dead();
        await execute(
          staff.world.db,
          `UPDATE outbox_messages SET sealed_payload = NULL, content_gone = 'ERASED' WHERE id = $1`,
          [id],
        );
        return id;
      },
    ],
  ])('one that %s: %s', async (_, reason, gone) => {
    const id = await gone();
    const answer = await resend(id);
    expect(outcomeOf(answer)).toBe('400 CANNOT_RESEND');
    expect(answer.body.error.reason).toBe(reason);
    expect([await sent(), await records(id)]).toEqual([[], []]);
  });

  test('an unknown one, and what is no id', async () => {
    expect(outcomeOf(await resend(randomUUID()))).toBe('404 MESSAGE_NOT_FOUND');
    for (const hostile of ['x', "'; DROP TABLE outbox_messages; --", '%00', '../users'])
      expect((await resend(encodeURIComponent(hostile))).status).toBe(400);
  });

  test('is for administrators', async () => {
    const id = await dead();
    expect(outcomeOf(await resend(id, staff.tokens.user))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await resend(id, null))).toBe('401 UNAUTHORIZED');
    expect(await sent()).toEqual([]);
  });
});
