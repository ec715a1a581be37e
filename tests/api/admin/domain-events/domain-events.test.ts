import { v7 } from 'uuid';
import { z } from 'zod';
import { execute, firstRow } from '../../../../db/sql/query';
import { insert } from '../../../support/builders/make/insert';
import { queueEvents, soldEvent } from '../../../support/builders/make/partners/partner-sales';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  // No worker: nobody takes the events.
  staff = await startAdminWorld({ worker: false });
});
afterAll(() => staff.world.teardown());
beforeEach(() => execute(staff.world.db, 'DELETE FROM domain_events'));

const list = (query = '', token?: string | null) =>
  staff.ask('get', `/admin/domain-events${query}`, undefined, token);
const eventsOf = async (query = '') => {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return z.array(UnsentEvent).parse(body.data.events);
};
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const set = async (id: string, columns: string): Promise<number> => {
  const delivery = await firstRow<{ position: number }>(
    staff.world.db,
    `UPDATE event_deliveries SET ${columns} WHERE position = (SELECT position FROM domain_events WHERE id = $1)
     RETURNING position`,
    [id],
  );
  return delivery!.position;
};
/** The event of a refund of this order; answers its id. */
async function refundEvent(entityId: string): Promise<string> {
  const { db } = staff.world;
  const reference = { reference: `refund.completed:${entityId}`, entity_id: entityId };
  const refund = { id: v7(), type: 'refund.completed', ...reference };
  await insert(db, 'domain_events', { ...refund, data: '{}', occurred_at: minutesAgo(1) });
  await queueEvents(db, 'id = $1', [refund.id]);
  return refund.id;
}

const moment = z.iso.datetime();
const UnsentEvent = z.strictObject({
  id: z.uuid(),
  type: z.string(),
  entityId: z.uuid(),
  consumer: z.literal('commissions'),
  state: z.enum(['WAITING', 'PARKED', 'DEAD']),
  reason: z.enum(['NOT_TAKEN_YET', 'TRIED_AGAIN_LATER', 'EARLIER_EVENT', 'PARKED', 'GIVEN_UP']),
  occurredAt: moment,
  ageSeconds: z.int(),
  attempts: z.int(),
  nextAttemptAt: moment.nullable(),
  parkedAt: moment.nullable(),
  lastError: z.string().nullable(),
  operationId: z.string().nullable(),
});

test('events that the engine has not taken, oldest first, with their age and why', async () => {
  const { db } = staff.world;
  const failed = await soldEvent(db, { at: minutesAgo(60) });
  const fresh = await soldEvent(db, { at: minutesAgo(1) });
  await set(failed, `attempts = 2, due_at = now() + interval '1 minute', last_error = 'no rate'`);
  await soldEvent(db, { at: minutesAgo(5), takenAt: new Date() });
  await set(await soldEvent(db, { at: minutesAgo(6) }), `state = 'DEAD'`);
  // Nobody takes these.
  await insert(db, 'domain_events', {
    ...{
      id: v7(),
      type: 'kyc.approved',
      reference: 'x',
      entity_id: v7(),
      data: '{}',
      occurred_at: new Date(),
    },
  });
  const [first, second, ...more] = await eventsOf();
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    ...{ id: failed, type: 'order.paid', state: 'WAITING', reason: 'TRIED_AGAIN_LATER', attempts: 2 },
    ...{ lastError: 'no rate', nextAttemptAt: expect.any(String), parkedAt: null, operationId: null },
  });
  expect(first!.ageSeconds).toBeGreaterThanOrEqual(3_600);
  expect(second).toMatchObject({ id: fresh, reason: 'NOT_TAKEN_YET', attempts: 0, nextAttemptAt: null });
});

test('parked ones are a list of their own, and lead to the operation', async () => {
  const { db } = staff.world;
  const parked = await soldEvent(db, { at: minutesAgo(60) });
  const position = await set(
    parked,
    `attempts = 5, state = 'PARKED', state_since = now(), last_error = 'no rate'`,
  );
  await soldEvent(db, { at: minutesAgo(60), takenAt: new Date() });
  expect(await eventsOf()).toEqual([]);
  expect(await eventsOf('?state=PARKED')).toMatchObject([
    {
      id: parked,
      state: 'PARKED',
      reason: 'PARKED',
      operationId: `event-failure:commissions:${position}`,
    },
  ]);
});

test('one that waits for an earlier event of the same order says so; one that was given up is in a list of its own', async () => {
  const { db } = staff.world;
  const entityId = v7();
  const paid = await soldEvent(db, { at: minutesAgo(2), entityId });
  const refund = await refundEvent(entityId);
  expect(await eventsOf()).toMatchObject([
    { id: paid, reason: 'NOT_TAKEN_YET' },
    { id: refund, reason: 'EARLIER_EVENT' },
  ]);
  await set(paid, `state = 'DEAD'`);
  expect(await eventsOf()).toMatchObject([{ id: refund, reason: 'NOT_TAKEN_YET' }]);
  expect(await eventsOf('?state=DEAD')).toMatchObject([
    { id: paid, state: 'DEAD', reason: 'GIVEN_UP', operationId: null },
  ]);
});

describe('POST /admin/domain-events/:id/retry', () => {
  const retry = (id: string, token?: string | null) =>
    staff.ask('post', `/admin/domain-events/${id}/retry`, { consumer: 'commissions' }, token);

  test('an event that was given up is due again, once, and what was given up with it', async () => {
    const { db } = staff.world;
    const entityId = v7();
    const id = await soldEvent(db, { at: minutesAgo(2), entityId });
    const later = await refundEvent(entityId);
    const position = await set(id, `state = 'DEAD', attempts = 5`);
    await set(later, `state = 'DEAD', dead_with = ${position}`);
    const other = await soldEvent(db, { at: minutesAgo(1) });
    await set(other, `state = 'DEAD'`);
    const answers = await Promise.all([retry(id), retry(id), retry(id)]);
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '409 NOT_DEAD', '409 NOT_DEAD']);
    expect(answers.find(({ status }) => status === 200)?.body.data).toEqual({
      ...{ id, consumer: 'commissions', state: 'WAITING' },
    });
    expect((await eventsOf()).map((event) => event.id)).toEqual([id, later]);
    expect(await eventsOf('?state=DEAD')).toMatchObject([{ id: other }]);
    expect(
      await firstRow(db, `SELECT action, previous, next FROM audit_records WHERE entity_id = $1`, [id]),
    ).toEqual({
      action: 'event.retry',
      previous: { state: 'DEAD', consumer: 'commissions' },
      next: { state: 'DUE', consumer: 'commissions' },
    });
  });

  test('one that was given up with an earlier one is refused, and nothing is recorded', async () => {
    const { db } = staff.world;
    const entityId = v7();
    const earlier = await soldEvent(db, { at: minutesAgo(2), entityId });
    const position = await set(earlier, `state = 'DEAD'`);
    const id = await refundEvent(entityId);
    await set(id, `state = 'DEAD', dead_with = ${position}`);
    const answer = await retry(id);
    expect(outcomeOf(answer)).toBe('409 NOT_DEAD');
    expect(answer.body.error.message).toContain(earlier);
    expect(await firstRow(db, 'SELECT 1 AS one FROM audit_records WHERE entity_id = $1', [id])).toBeNull();
    expect((await eventsOf('?state=DEAD')).map((event) => event.id).sort()).toEqual([earlier, id].sort());
  });

  test('one that is not given up, that is not there, and other words are refused', async () => {
    const id = await soldEvent(staff.world.db, { at: minutesAgo(2) });
    expect(outcomeOf(await retry(id))).toBe('409 NOT_DEAD');
    await set(id, `state = 'PARKED'`);
    expect(outcomeOf(await retry(id))).toBe('409 NOT_DEAD');
    expect(outcomeOf(await retry(v7()))).toBe('404 EVENT_NOT_FOUND');
    const wrong = await staff.ask('post', `/admin/domain-events/${id}/retry`, { consumer: 'none' });
    expect(outcomeOf(wrong)).toBe('400 VALIDATION_ERROR');
  });

  test('is for administrators', async () => {
    expect(outcomeOf(await retry(v7(), staff.tokens.user))).toBe('403 FORBIDDEN');
    expect(outcomeOf(await retry(v7(), null))).toBe('401 UNAUTHORIZED');
  });
});

test('page by page; wrong parameters are refused', async () => {
  for (const minutes of [3, 2, 1]) await soldEvent(staff.world.db, { at: minutesAgo(minutes) });
  const { body } = await list('?page=2&pageSize=2');
  expect(body.meta.pagination).toMatchObject({ page: 2, total: 3, hasNext: false });
  expect(body.data.events).toHaveLength(1);
  for (const wrong of ['?state=TAKEN', '?page=0', '?pageSize=101'])
    expect(outcomeOf(await list(wrong))).toBe('400 VALIDATION_ERROR');
});

test('is for administrators', async () => {
  expect(outcomeOf(await list('', staff.tokens.user))).toBe('403 FORBIDDEN');
  expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
});
