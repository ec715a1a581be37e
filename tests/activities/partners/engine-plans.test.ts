import { QueryTypes } from 'sequelize';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { people, soldOrder } from '../../support/builders/partnering/sold-orders';
import { statementsOf } from '../../support/checks/plans-of';
import { takeEvent } from '../../support/checks/take-events';
import { vacuum } from '../../support/cost/vacuum';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
/** Five below each, so that the last has six above. */
const PARTNERS = 8_000;
/** The tables that grow with the programme. */
const LARGE = [
  'partners',
  'partner_standings',
  'partner_levels',
  'partner_sales',
  'partner_commissions',
  'users',
];

const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const EACH = `FROM generate_series(1, ${PARTNERS}) AS n`;

const fill = (text: string) =>
  inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL statement_timeout = 0');
    await execute(tx, text);
  });

beforeAll(async () => {
  await fill(`INSERT INTO users (id, region, email, password_hash, first_name, last_name, status, created_at, updated_at)
    SELECT ${id('n')}, 'EU', 'p' || n || '@example.com', '', 'Ada', 'Lovelace', 'ACTIVE', now(), now() ${EACH}`);
  await fill(`INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at)
    SELECT ${id('n')}, ${id('n')}, 'P' || lpad(n::text, 7, '0'), 'ACTIVE',
           CASE WHEN n > 1 THEN ${id('(n + 3) / 5')} END, now(), now() ${EACH} ORDER BY n`);
  await fill(`INSERT INTO partner_levels (partner_id, level, partners, volume_minor)
    SELECT ${id('n')}, level, 1, 0 ${EACH}, generate_series(1, 3) AS level`);
  // Without the triggers of figures, and of events that are not there.
  await inTransaction(own.owner, async (tx) => {
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(
      tx,
      `INSERT INTO partner_sales (id, event_id, kind, source_id, buyer_id, partner_id, base_minor, commission_weight, points_weight,
         points, currency, programme_version, occurred_at, counted_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'ORDER', gen_random_uuid(), ${id('n')}, ${id('n')}, 100, 0, 0, 0, 'USD', 1, now(), now()
       ${EACH}`,
    );
    await execute(
      tx,
      `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
         base_minor, commission_weight, rate_bp, gross_minor, net_minor, currency, status, matures_at, created_at)
       SELECT gen_random_uuid(), ${id('n')}, 1, 'ORDER', gen_random_uuid(), 1, 1, 1, 100, 0, 5000, 50, 50, 'USD', 'PENDING', now(), now()
       ${EACH}`,
    );
  });
  await vacuum(own.owner, ...LARGE);
});

test('no statement that counts a sale reads a table of the programme as a whole', async () => {
  const [buyerId] = await people(own.db, [`00000000-0000-7000-8000-${String(PARTNERS).padStart(12, '0')}`]);
  const sold = await soldOrder(own.db, { buyerId: buyerId!, lines: [{ goodsMinor: 1_000_00 }] });
  const event = await firstRow<{ id: string }>(own.db, 'SELECT id FROM domain_events WHERE reference = $1', [
    `order.paid:${sold.id}`,
  ]);
  const sent = await statementsOf(own.db, () => takeEvent(own.db, policyFrom({}), event!.id));
  const counted = await firstRow(own.db, 'SELECT 1 AS found FROM partner_sales WHERE source_id = $1', [
    sold.id,
  ]);
  expect(counted).toEqual({ found: 1 });
  const statements = sent.filter(({ text }) => /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(text));
  expect(statements.length).toBeGreaterThan(8);
  const whole: string[] = [];
  for (const { text, bind } of statements) {
    const plan = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    for (const { 'QUERY PLAN': line } of plan) {
      const [, table = ''] = /Seq Scan on (\w+)/.exec(line) ?? [];
      if (LARGE.includes(table)) whole.push(`${table}: ${text}`);
    }
  }
  expect(whole).toEqual([]);
});
