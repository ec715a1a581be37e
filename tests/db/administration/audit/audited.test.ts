import { v7 } from 'uuid';
import { audited } from '../../../../db/administration/audit/audit.writes';
import {
  AUDITED_ACTIONS,
  AUDITED_ENTITIES,
  actionsOn,
} from '../../../../db/administration/audit/audit-vocabulary';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const by = { actorId: v7(), clientAddress: '192.0.2.7' };

type Rest =
  Parameters<typeof audited> extends [unknown, unknown, unknown, unknown, ...infer After] ? After : never;

/** The records of one change of an entity. */
async function recordsOf(...change: Rest): Promise<{ previous: unknown; next: unknown }[]> {
  const entityId = v7();
  await inTransaction(own.db, (tx) => audited(tx, by, 'coupon.update', entityId, ...change));
  return rows(own.db, 'SELECT previous, next FROM audit_records WHERE entity_id = $1', [entityId]);
}

test('a record has the fields that changed, and no other', async () => {
  const before = { code: 'A', scope: ['x'], endsAt: new Date(0), usageLimit: 3 };
  const after = { code: 'A', scope: ['x', 'y'], endsAt: new Date(0), usageLimit: null };
  expect(await recordsOf(before, after)).toEqual([
    { previous: { scope: ['x'], usageLimit: 3 }, next: { scope: ['x', 'y'], usageLimit: null } },
  ]);
});

test('a field that only one side has is a change', async () => {
  expect(await recordsOf({ name: 'A', deletedAt: null }, { deletedAt: 'now', reason: 'Ended.' })).toEqual([
    { previous: { name: 'A', deletedAt: null }, next: { deletedAt: 'now', reason: 'Ended.' } },
  ]);
});

test('without a change nothing is written, whatever is shown', async () => {
  expect(await recordsOf({ code: 'A', note: undefined }, { code: 'A' })).toEqual([]);
  expect(await recordsOf({ code: 'A' }, { code: 'A' }, { imageId: 'i' })).toEqual([]);
});

test('both sides show what is to be shown, changed or not', async () => {
  expect(await recordsOf({ alt: 'A' }, { alt: 'B' }, { imageId: 'i', alt: 'A' })).toEqual([
    { previous: { imageId: 'i', alt: 'A' }, next: { imageId: 'i', alt: 'B' } },
  ]);
});

test('something that is made, or read, has nothing before', async () => {
  expect(await recordsOf(null, { code: 'A' })).toEqual([{ previous: null, next: { code: 'A' } }]);
  expect(await recordsOf(null, {})).toEqual([{ previous: null, next: {} }]);
});

test('a record tells who, from where, when, and of what: the entity is the prefix of the action', async () => {
  const at = new Date('2026-03-01T10:00:00Z');
  const entityId = v7();
  await inTransaction(own.db, (tx) =>
    audited(tx, { ...by, at }, 'webhook-event.replay', entityId, { status: 'DEAD' }, { status: 'RECEIVED' }),
  );
  const found = await rows(
    own.db,
    'SELECT actor_id, client_address, created_at, action, entity_type FROM audit_records WHERE entity_id = $1',
    [entityId],
  );
  expect(found).toEqual([
    { ...by, createdAt: at, action: 'webhook-event.replay', entityType: 'webhook-event' },
  ]);
});

test('each action is on one type of entity; an operation is on a process', () => {
  expect(AUDITED_ENTITIES.flatMap(actionsOn).sort()).toEqual([...AUDITED_ACTIONS].sort());
  expect(actionsOn('process')).toEqual(['operation.abandon', 'operation.retry']);
  expect(actionsOn('tax-rate')).toEqual(['tax-rate.delete', 'tax-rate.set']);
});
