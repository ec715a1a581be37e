import { QueryTypes } from 'sequelize';
import {
  listWebhookEvents,
  type WebhookEventFilter,
} from '../../../db/administration/webhook/webhook-event-list.reads';
import { execute } from '../../../db/sql/query';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const REPORTS = 60_000;

/** Many applied reports of payments, as many years make, and a few of each other kind, all of them old. */
beforeAll(async () => {
  await execute(
    own.db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
       started_at, processed_at)
     SELECT gen_random_uuid(), CASE WHEN n > ${REPORTS - 500} THEN 'INVESTMENT' ELSE 'PAYMENT' END,
       CASE WHEN n > ${REPORTS - 500} THEN 'alpha' ELSE 'sandbox' END, 'report-' || n,
       CASE WHEN n > ${REPORTS - 500} THEN 'profit.distributed' ELSE 'payment.paid' END, '{}', '',
       CASE WHEN n <= ${REPORTS - 40} THEN 'PROCESSED'
            ELSE (ARRAY['WAITING', 'IGNORED', 'DEAD', 'DISCARDED'])[1 + n % 4] END,
       now() - n * interval '1 second', now(), now()
     FROM generate_series(1, ${REPORTS}) AS n`,
  );
  await vacuum(own.owner, 'webhook_events');
});

const NONE: WebhookEventFilter = {
  ...{ provider: null, status: null, type: null },
  ...{ kind: null, from: null, to: null },
};

/** The plans of the count and of the page, with the rows that they read. */
async function plansOf(filter: Partial<WebhookEventFilter>, offset = 0): Promise<string[]> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await listWebhookEvents(own.db, { ...NONE, ...filter }, { limit: 20, offset });
  const calls = sent.mock.calls as unknown as [string, { bind: unknown[] }][];
  sent.mockRestore();
  expect(calls).toHaveLength(2);
  const plans: string[] = [];
  for (const [text, { bind }] of calls) {
    const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  }
  return plans;
}

const READS_ALL = /Seq Scan on webhook_events|Rows Removed by Filter: \d{4}/;

test.each([
  ['status', { status: 'DEAD' }],
  ['status', { status: 'DISCARDED' }],
  ['status', { status: 'IGNORED' }],
  ['status', { status: 'RECEIVED' }],
  ['kind', { kind: 'INVESTMENT' }],
  ['type', { type: 'profit.distributed' }],
  ['a type that never came', { type: 'kyc.synced' }],
  ['provider', { provider: 'alpha' }],
  ['a provider that reports nothing', { provider: 'omega' }],
  ['provider and kind', { provider: 'alpha', kind: 'INVESTMENT' }],
  ['time', { from: new Date(0), to: new Date('2020-01-01T00:00:00Z') }],
] as const)(
  'by %s: page and count read an index, and few rows beyond those that match',
  async (_, filter) => {
    for (const plan of await plansOf(filter)) expect(plan).not.toMatch(READS_ALL);
  },
);

test('without a filter the page is read in the order of an index, and the count ends at its bound', async () => {
  const [count, page] = await plansOf({});
  expect(page).toMatch(/Index Scan Backward using webhook_events_received_idx/);
  expect(count).toMatch(/Limit .*rows=10000(\.00)? loops/);
});

test('the number is right below the bound; beyond it, it leads to the next page', async () => {
  const total = async (filter: Partial<WebhookEventFilter>, offset = 0) =>
    (await listWebhookEvents(own.db, { ...NONE, ...filter }, { limit: 20, offset })).total;
  expect(await total({ kind: 'INVESTMENT' })).toBe(500);
  expect(await total({})).toBe(10_000);
  expect(await total({}, 40_000)).toBe(40_021);
  expect(await total({}, 59_990)).toBe(REPORTS);
});
