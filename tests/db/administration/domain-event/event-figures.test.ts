import { eventFigures } from '../../../../db/administration/domain-event/event-figures.reads';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { queueEvents, soldEvent } from '../../../support/builders/make/partners/partner-sales';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
afterEach(() => execute(own.owner, 'DELETE FROM domain_events'));

const figures = async () => (await inTransaction(own.db, eventFigures))[0]!;
const dueMinutes = async () => Math.round((await figures()).oldestDueSeconds / 60);
const MINUTE_MS = 60_000;

/** An event that was announced, and so due, some minutes ago; answers its position. */
async function announced(minutes: number, entityId?: string): Promise<number> {
  const id = await soldEvent(own.db, {
    at: new Date(Date.now() - minutes * MINUTE_MS),
    ...(entityId !== undefined && { entityId }),
  });
  const [found] = await rows<{ position: number }>(
    own.owner,
    `UPDATE event_deliveries SET due_at = now() - interval '1 minute' * $2
      WHERE position = (SELECT position FROM domain_events WHERE id = $1) RETURNING position`,
    [id, minutes],
  );
  return found!.position;
}
const set = (position: number, change: string) =>
  execute(own.owner, `UPDATE event_deliveries SET ${change} WHERE position = $1`, [position]);

test('nothing waits: the figures of each consumer are zero', async () => {
  expect(await inTransaction(own.db, eventFigures)).toEqual([
    { consumer: 'commissions', oldestDueSeconds: 0, oldestDuePosition: 0, waiting: 0, parked: 0 },
  ]);
});

test('while a backlog is applied, its age is a figure, and the position of the oldest changes', async () => {
  const [first, second] = [await announced(60), await announced(59)];
  await announced(1);
  expect(await figures()).toMatchObject({ waiting: 3, parked: 0, oldestDuePosition: first });
  expect(await dueMinutes()).toBe(60);
  await execute(own.owner, 'DELETE FROM event_deliveries WHERE position = $1', [first]);
  expect(await figures()).toMatchObject({ waiting: 2, oldestDuePosition: second });
  expect(await dueMinutes()).toBe(59);
});

test('between two tries nothing is due, and then the time counts from when it is', async () => {
  const position = await announced(10);
  await set(position, `due_at = now() + interval '1 minute'`);
  expect(await figures()).toMatchObject({ oldestDueSeconds: 0, oldestDuePosition: 0, waiting: 1 });
  await set(position, `due_at = now() - interval '1 minute'`);
  expect(await dueMinutes()).toBe(1);
});

test('an event that waits for a parked one of the same entity is not due; what was given up does not wait', async () => {
  const parked = await announced(10);
  await set(parked, `state = 'PARKED'`);
  const [{ entityId }] = (await rows<{ entityId: string }>(
    own.owner,
    'SELECT entity_id FROM event_deliveries',
  )) as [{ entityId: string }];
  await execute(
    own.owner,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES (gen_random_uuid(), 'refund.completed', 'later', $1, '{}', now())`,
    [entityId],
  );
  await queueEvents(own.db, `reference = 'later'`);
  expect(await figures()).toMatchObject({ oldestDueSeconds: 0, oldestDuePosition: 0, waiting: 1, parked: 1 });
  await set(parked, `state = 'DEAD'`);
  expect(await figures()).toMatchObject({ oldestDuePosition: parked + 1, waiting: 1, parked: 0 });
});
