import { randomUUID } from 'node:crypto';
import { readNote } from '../../../../db/administration/idempotency/request-note.writes';
import { addInternalNote } from '../../../../db/commerce/order-administration/internal-note.writes';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { violations } from '../../../support/checks/violations';
import { outcomeOf } from '../admin-world';
import { startOrderAdministration, type OrderAdministration } from './order-administration';

let administration: OrderAdministration;
beforeAll(async () => {
  administration = await startOrderAdministration();
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
});

const notesOf = async (orderId: string) =>
  (
    (await administration.ask('get', `/admin/orders/${orderId}`)).body.data.internalNotes as {
      note: string;
    }[]
  ).map(({ note }) => note);
const lastRecord = async (orderId: string) => (await administration.recordsOf(orderId)).at(-1);
const wroteEarlier = (
  orderId: string,
  { note, by, minutes }: { note: string; by: string; minutes: number },
) =>
  execute(
    administration.world.db,
    `INSERT INTO order_internal_notes VALUES (gen_random_uuid(), $1, $2, $3, now() - make_interval(mins => $4))`,
    [orderId, note, by, minutes],
  );
const fill = (orderId: string, notes: number) =>
  execute(
    administration.world.db,
    `INSERT INTO order_internal_notes SELECT gen_random_uuid(), $1, 'Note ' || n, $2, now()
     FROM generate_series(1, $3::int) n`,
    [orderId, administration.admin.id, notes],
  );
const SECRET = 'Rang twice; sounds like a reseller.';

describe('PATCH /admin/orders/:id with an internal note', () => {
  it('adds it without moving or changing the order; administrators read it with author and time, buyers never', async () => {
    const { ada, orderId } = await administration.sold();
    const before = (await ada.get(`/orders/${orderId}`)).body.data;
    expect(outcomeOf(await administration.change(orderId, { internalNote: ` ${SECRET} ` }))).toBe('200');
    await administration.change(orderId, { internalNote: 'Second.', notifyCustomer: true });
    const { internalNotes } = (await administration.ask('get', `/admin/orders/${orderId}`)).body.data;
    expect(internalNotes).toEqual([
      {
        id: expect.any(String) as string,
        note: SECRET,
        createdAt: expect.any(String) as string,
        by: { id: administration.admin.id, email: administration.admin.email },
      },
      expect.objectContaining({ note: 'Second.' }),
    ]);
    expect((await ada.get(`/orders/${orderId}`)).body.data).toEqual(before);
    expect((await ada.get('/users/me/export')).text).not.toContain('reseller');
    expect(await administration.mailsOf(orderId)).toEqual([]);
    expect((await administration.recordsOf(orderId)).slice(-2)).toEqual(
      internalNotes.map(({ id }: { id: string }) => ({
        actor: administration.admin.id,
        action: 'order.describe',
        previous: {},
        next: { internalNoteId: id },
      })),
    );
  });

  it.each([
    ['SHIPPED', 'order.move'],
    ['CANCELLED', 'order.cancel'],
  ])('adds it with a move to %s, in the same step; Temporal never sees its text', async (status, action) => {
    const { orderId } = await administration.sold();
    const body = { status, note: 'For the buyer.', internalNote: SECRET };
    expect(outcomeOf(await administration.change(orderId, body))).toBe('200');
    expect(await notesOf(orderId)).toEqual([SECRET]);
    const record = await lastRecord(orderId);
    expect(record).toMatchObject({ action, next: { status, note: 'For the buyer.' } });
    expect(JSON.stringify(record)).not.toContain('reseller');
    const { internalNoteId } = record!.next as { internalNoteId: string };
    expect(
      await rows(administration.world.db, 'SELECT text FROM request_notes WHERE id = $1', [internalNoteId]),
    ).toEqual([{ text: null }]);
    const handle = administration.world.temporal.workflow.getHandle(`fulfilment:${orderId}`);
    const inputs = JSON.stringify(await handle.fetchHistory());
    expect(inputs).toContain('Update');
    for (const text of ['reseller', Buffer.from('reseller').toString('base64').slice(0, 8)])
      expect(inputs).not.toContain(text);
  });

  it('a move that is refused adds none', async () => {
    const { orderId } = await administration.unpaid();
    const refused = await administration.change(orderId, { status: 'SHIPPED', internalNote: SECRET });
    expect(outcomeOf(refused)).toBe('400 VALIDATION_ERROR');
    expect(await notesOf(orderId)).toEqual([]);
  });

  it('what is refused, by the table of moves or by the process, or added without a process leaves its text nowhere else', async () => {
    const { db } = administration.world;
    const [unpaid, full, cancelled] = [
      await administration.unpaid(),
      await administration.sold(),
      await administration.unpaid(),
    ];
    await fill(full.orderId, 200);
    await administration.change(cancelled.orderId, { status: 'CANCELLED' });
    const internalNote = 'Only once in the database.';
    for (const [{ orderId }, status] of [
      [unpaid, 'SHIPPED'],
      [full, 'SHIPPED'],
      [full, 'CANCELLED'],
      [cancelled, 'CANCELLED'],
    ] as const)
      expect(outcomeOf(await administration.change(orderId, { status, internalNote }))).toBe(
        '400 VALIDATION_ERROR',
      );
    for (const change of [{}, { status: 'CANCELLED' }])
      expect(outcomeOf(await administration.change(unpaid.orderId, { ...change, internalNote }))).toBe('200');
    expect(await notesOf(unpaid.orderId)).toEqual([internalNote]);
    const notes = await rows<{ id: string }>(db, 'SELECT id FROM request_notes');
    expect(notes).not.toEqual([]);
    for (const { id } of notes) expect((await readNote(db, id)).text).not.toBe(internalNote);
  });

  it('sent twice, also at once or with a move, it is there once; after another note it can be said again', async () => {
    const { orderId } = await administration.sold();
    const send = (body: object) => administration.change(orderId, body);
    await Promise.all([1, 2, 3].map(() => send({ internalNote: SECRET })));
    expect(outcomeOf(await send({ internalNote: SECRET }))).toBe('200');
    expect(outcomeOf(await send({ status: 'SHIPPED', internalNote: SECRET }))).toBe('200');
    expect(await notesOf(orderId)).toEqual([SECRET]);
    expect((await lastRecord(orderId))!.next).not.toHaveProperty('internalNoteId');
    await send({ internalNote: 'Not a reseller.' });
    await send({ internalNote: SECRET });
    expect(await notesOf(orderId)).toEqual([SECRET, 'Not a reseller.', SECRET]);
  });

  it('sent again after a note of somebody else it is there once', async () => {
    const { orderId } = await administration.sold();
    await administration.change(orderId, { internalNote: SECRET });
    await wroteEarlier(orderId, { note: 'Somebody else.', by: randomUUID(), minutes: 0 });
    expect(outcomeOf(await administration.change(orderId, { internalNote: SECRET }))).toBe('200');
    expect(await notesOf(orderId)).toEqual([SECRET, 'Somebody else.']);
  });

  it.each([
    [4, 1],
    [6, 2],
    [2 * 24 * 60, 2],
  ])('the same words of the same person, %i minutes later: %i notes', async (minutes, count) => {
    const { orderId } = await administration.sold();
    const words = 'Called, no answer.';
    await wroteEarlier(orderId, { note: words, by: administration.admin.id, minutes });
    const before = (await administration.recordsOf(orderId)).length;
    expect(outcomeOf(await administration.change(orderId, { internalNote: words }))).toBe('200');
    expect(await notesOf(orderId)).toEqual(Array.from({ length: count }, () => words));
    expect((await administration.recordsOf(orderId)).length - before).toBe(count - 1);
  });

  it('a keyed request that is sent again long after its answer was lost adds nothing', async () => {
    const { db } = administration.world;
    const { orderId } = await administration.sold();
    const note = { id: randomUUID(), orderId, note: SECRET, createdBy: administration.admin.id };
    for (const [at, outcome] of [
      ['2026-01-01T10:00:00Z', 'ADDED'],
      ['2026-01-01T11:00:00Z', 'REPEATED'],
    ] as const)
      expect(await inTransaction(db, (tx) => addInternalNote(tx, { ...note, createdAt: new Date(at) }))).toBe(
        outcome,
      );
  });

  it('an order takes 200, also from many at once; then VALIDATION_ERROR, without a move', async () => {
    const { orderId } = await administration.sold();
    await fill(orderId, 198);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, n) => administration.change(orderId, { internalNote: `Written ${n}.` })),
    );
    expect(outcomes.map(outcomeOf).sort()).toEqual([
      ...Array.from({ length: 2 }, () => '200'),
      ...Array.from({ length: 3 }, () => '400 VALIDATION_ERROR'),
    ]);
    const moved = await administration.change(orderId, { status: 'SHIPPED', internalNote: SECRET });
    expect(outcomeOf(moved)).toBe('400 VALIDATION_ERROR');
    expect(Object.keys(moved.body.error.details)).toContain('internalNote');
    expect(await notesOf(orderId)).toHaveLength(200);
    expect((await administration.change(orderId, {})).body.data.status).toBe('PROCESSING');
  });

  it.each(['', ' ', 'x'.repeat(2_001)])('%j is refused: VALIDATION_ERROR', async (internalNote) => {
    const { orderId } = await administration.unpaid();
    const answer = await administration.change(orderId, { internalNote });
    expect(Object.keys(answer.body.error.details)).toEqual(['internalNote']);
  });
});

describe('internal notes', () => {
  it('cannot be changed or deleted, not even by the programs', async () => {
    const { db } = administration.world;
    const { orderId } = await administration.unpaid();
    await administration.change(orderId, { internalNote: SECRET });
    for (const change of [
      `UPDATE order_internal_notes SET note = 'Nice.' WHERE order_id = $1`,
      'DELETE FROM order_internal_notes WHERE order_id = $1',
    ])
      await expect(execute(db, change, [orderId])).rejects.toThrow(/append-only/);
    expect(await notesOf(orderId)).toEqual([SECRET]);
  });

  it('go with the account that they are about, and with no other', async () => {
    const { db } = administration.world;
    const [gone, stays] = [await administration.unpaid(), await administration.unpaid()];
    for (const { orderId } of [gone, stays]) {
      await administration.change(orderId, { internalNote: SECRET });
      await administration.change(orderId, { status: 'CANCELLED' });
    }
    const orderIds = [gone.orderId, stays.orderId];
    await inTransaction(db, (tx) => eraseAccount(tx, gone.ada.buyer.id, new Date()));
    expect(
      await rows(db, 'SELECT order_id FROM order_internal_notes WHERE order_id = ANY ($1::uuid[])', [
        orderIds,
      ]),
    ).toEqual([{ orderId: stays.orderId }]);
  });
});
