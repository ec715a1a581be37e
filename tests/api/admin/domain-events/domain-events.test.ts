import { v7 } from 'uuid';
import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { commissionEventProcess } from '../../../../workflows/partners/commission/commission-event.contract';
import { insert } from '../../../support/builders/make/insert';
import { soldEvent } from '../../../support/builders/make/partners/partner-sales';
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
const set = (id: string, columns: string) =>
  execute(staff.world.db, `UPDATE domain_events SET ${columns} WHERE id = $1`, [id]);

const moment = z.iso.datetime();
const UnsentEvent = z.strictObject({
  id: z.uuid(),
  type: z.string(),
  entityId: z.uuid(),
  state: z.enum(['WAITING', 'PARKED']),
  reason: z.enum(['NOT_TAKEN_YET', 'TRIED_AGAIN_LATER', 'PARKED']),
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
  await set(failed, `attempts = 2, next_attempt_at = now() + interval '1 minute', last_error = 'no rate'`);
  await soldEvent(db, { at: minutesAgo(5), takenAt: new Date() });
  await set(await soldEvent(db, { at: minutesAgo(6) }), 'given_up_at = now()');
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
  await set(parked, `attempts = 5, parked_at = now(), last_error = 'no rate'`);
  const counted = await soldEvent(db, { at: minutesAgo(60) });
  await set(counted, 'attempts = 5, parked_at = now(), taken_at = now()');
  expect(await eventsOf()).toEqual([]);
  expect(await eventsOf('?state=PARKED')).toMatchObject([
    {
      id: parked,
      state: 'PARKED',
      reason: 'PARKED',
      operationId: commissionEventProcess.id({ eventId: parked }),
    },
  ]);
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
