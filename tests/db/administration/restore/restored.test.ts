import { v7 } from 'uuid';
import { afterRestore } from '../../../../db/administration/restore/restored';
import {
  beginRestore,
  NUMBER_GAP,
  NUMBER_SEQUENCES,
} from '../../../../db/administration/restore/restore.writes';
import { unstartedWebhookEvents } from '../../../../db/administration/webhook/webhook-event.reads';
import {
  markWebhookEventsStarted,
  storeWebhookEvent,
} from '../../../../db/administration/webhook/webhook-event.writes';
import { payoutsAreStopped } from '../../../../db/commerce/reconciliation/payouts-stopped.reads';
import { policyFrom } from '../../../../db/policy/config';
import { migrationList } from '../../../../db/schema/migration-list';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';
import { setVariables, testVariables } from '../../../support/worlds/variables';

const own = ownDatabase();
beforeEach(async () => {
  setVariables({ ...testVariables, DATABASE_URL: own.url, DATABASE_OWNER_URL: own.ownerUrl });
  await execute(own.db, 'DELETE FROM restores');
});

async function command(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const code = await afterRestore(args, (line) => (text += line));
  return { code, text };
}

const kept = () =>
  rows(
    own.db,
    `SELECT copied_at, restored_at > copied_at AS later, released_at IS NOT NULL AS released, released_by, note
       FROM restores ORDER BY restored_at`,
  );
const copiedAt = '2026-01-31T04:00:00.000Z';
const stopped = (variables: Record<string, string> = {}) => payoutsAreStopped(own.db, policyFrom(variables));

test('begin: recorded, and payouts are stopped whatever the policy says', async () => {
  expect(await stopped()).toBe(false);
  const { code, text } = await command('begin', '2026-01-31T05:00:00+01:00');
  expect([code, text]).toEqual([0, expect.stringContaining(`the copy of ${copiedAt}`)]);
  expect(await kept()).toEqual([
    { copiedAt: new Date(copiedAt), later: true, released: false, releasedBy: null, note: null },
  ]);
  expect(await stopped()).toBe(true);
  expect(await stopped({ POLICY_RECONCILIATION_STOPS_PAYOUTS: 'false' })).toBe(true);
});

test('begin: no number that people have seen is given out again', async () => {
  const numberOf = async () => {
    const { orderId } = await given(own.db).order();
    const row = await firstRow<{ number: string }>(own.db, 'SELECT number FROM orders WHERE id = $1', [
      orderId,
    ]);
    return row!.number;
  };
  const numeral = (number: string): number => Number(number.slice(-8));
  const before = await numberOf();
  const lastOf = async () => {
    const last = NUMBER_SEQUENCES.map((name) => `(SELECT last_value FROM ${name})::int`);
    return (await firstRow<{ last: number[] }>(own.db, `SELECT ARRAY[${last.join(', ')}] AS last`))!.last;
  };
  const lasts = await lastOf();
  await command('begin', copiedAt);
  expect(await lastOf()).toEqual(lasts.map((last) => last + NUMBER_GAP));
  const after = await numberOf();
  expect(after).toMatch(/^ORD-\d{4}-\d{8}$/);
  expect(numeral(after)).toBe(numeral(before) + NUMBER_GAP + 1);
});

test('begin: reports that are not dealt with are started again by the sweep, which only marks those that have a process', async () => {
  const at = new Date();
  const event = { provider: 'sandbox', type: 'payment.paid', body: '{}', bodyHash: '', known: true, at };
  const store = async (externalEventId: string) =>
    (await storeWebhookEvent(own.db, { ...event, id: v7(), externalEventId })).id;
  const [open, done] = [await store('open'), await store('done')];
  await markWebhookEventsStarted(own.db, [open, done], at);
  await execute(
    own.db,
    `UPDATE webhook_events SET status = 'PROCESSED', processed_at = now() WHERE id = $1`,
    [done],
  );
  await command('begin', copiedAt);
  const unstarted = await unstartedWebhookEvents(own.db, {
    ...{ receivedBefore: new Date(Date.now() + 60_000), at: at.toISOString(), limit: 9 },
  });
  expect(unstarted.map(({ id }) => id)).toEqual([open]);
});

test('every sequence that is not of an inner key is among those that are advanced', async () => {
  const names = await rows<{ name: string }>(
    own.db,
    `SELECT relname AS name FROM pg_class c WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i') ORDER BY relname`,
  );
  expect(names.map(({ name }) => name)).toEqual([...NUMBER_SEQUENCES].sort());
});

test('begin refuses where numbers would have nine digits, and changes nothing', async () => {
  const last = await firstRow<{ last: number }>(own.db, 'SELECT last_value AS last FROM top_up_numbers');
  await execute(own.owner, `SELECT setval('top_up_numbers', 99500000)`);
  const orders = () => firstRow(own.db, 'SELECT last_value FROM order_numbers');
  const before = await orders();
  expect(await command('begin', copiedAt)).toMatchObject({
    code: 1,
    text: expect.stringContaining('numbers'),
  });
  expect(await kept()).toEqual([]);
  expect(await orders()).toEqual(before);
  await execute(own.owner, `SELECT setval('top_up_numbers', $1)`, [last!.last]);
});

test.each(['yesterday', '2026-01-31T04:00:00', '2026-01-31', '2999-01-01T00:00:00Z', ''])(
  'begin refuses a time that no copy can have: "%s"',
  async (time) => {
    expect(await command('begin', time)).toMatchObject({ code: 1 });
    expect(await kept()).toEqual([]);
  },
);

test('begin takes the time of a machine whose clock is fast', async () => {
  expect(await command('begin', new Date(Date.now() + 60_000).toISOString())).toMatchObject({ code: 0 });
  expect(await stopped()).toBe(true);
});

test('begin brings the schema of an older copy up to date first', async () => {
  await execute(own.owner, `DROP TABLE restores; DELETE FROM schema_migrations WHERE name = '0030-restores'`);
  expect(await command('begin', copiedAt)).toMatchObject({ code: 0 });
  expect(await stopped()).toBe(true);
});

test('release: with a name and a note, of all that is held, by the role of programs', async () => {
  await command('begin', copiedAt);
  await command('begin', copiedAt);
  setVariables({ DATABASE_OWNER_URL: '' });
  for (const words of [[], ['Ada'], ['Ada', ' '], ['', 'Compared.']]) {
    const { code, text } = await command('release', ...words);
    expect([words, code, text]).toEqual([words, 1, expect.stringContaining('say who releases it')]);
    expect(await stopped()).toBe(true);
  }
  const { code, text } = await command('release', ' Ada ', 'Compared with Stripe and the bank.');
  expect([code, text]).toEqual([0, 'Nothing is open.\nReleased: money is sent again.\n']);
  expect(await kept()).toEqual(
    Array(2).fill({
      ...{ copiedAt: new Date(copiedAt), later: true, released: true },
      ...{ releasedBy: 'Ada', note: 'Compared with Stripe and the bank.' },
    }),
  );
  expect(await stopped()).toBe(false);
  expect((await command('release', 'Ada', 'Again.')).text).toContain('No restore waits');
});

test('release names what is still open: differences, transfers by hand, and days that are not compared', async () => {
  const day = new Date(Date.now() - 2 * 86_400_000);
  await command('begin', day.toISOString());
  await make.difference(own.db);
  await execute(
    own.db,
    `INSERT INTO provider_reconciliations (id, provider, day, reading, started_at, read_at, compared_at)
     SELECT gen_random_uuid(), 'stripe', day, 1, now(), now(), now()
       FROM unnest(ARRAY[$1::date - 1, $1::date + 1]) AS of (day)
     ON CONFLICT DO NOTHING`,
    [day.toISOString().slice(0, 10)],
  );
  const { text } = await command('release');
  expect(text).toContain('PROVIDER_DIFFERENCES: 1\n');
  expect(text).toContain(`stripe not compared: ${day.toISOString().slice(0, 10)}\n`);
  await execute(own.db, 'DELETE FROM reconciliation_differences');
});

test.each([[[]], [['begin']], [['begin', copiedAt, 'x']], [['release', 'a', 'b', 'c']], [['undo']]])(
  'anything else answers how it is used: %j',
  async (args) => {
    expect(await command(...args)).toMatchObject({
      code: 2,
      text: expect.stringContaining('npm run restored'),
    });
  },
);

test('an unreachable database is told apart from a refusal', async () => {
  setVariables({ DATABASE_URL: 'postgres://a:b@127.0.0.1:9/c', DATABASE_OWNER_URL: '' });
  expect((await command('release', 'Ada', 'Compared.')).code).toBe(2);
});

test('the migration is not taken back while a restore is not released', async () => {
  const { down, up } = migrationList.find(({ name }) => name === '0030-restores')!;
  const query = own.owner.sequelize.getQueryInterface();
  await beginRestore(own.owner, new Date(copiedAt));
  await expect(down(query)).rejects.toThrow('A restore is not released');
  await command('release', 'Ada', 'Compared.');
  await down(query);
  await up(query);
  expect(await kept()).toEqual([]);
});
