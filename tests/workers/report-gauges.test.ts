import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { platformFigures } from '../../db/administration/operations/platform-figures.reads';
import { execute } from '../../db/sql/query';
import { overdueParticipations } from '../../workers/checks/check-maturities';
import { platformGauges } from '../../workers/observe/gauges/platform-gauges';
import { make } from '../support/builders/make';
import { ownDatabase } from '../support/servers/database';

const own = ownDatabase();

/** The value of a series, as it is exported now; null if there is none. */
async function values() {
  const registry = new Registry();
  platformGauges(registry).show(await platformFigures(own.db));
  const lines = (await registry.metrics()).split('\n');
  return (series: string): number | null => {
    const line = lines.find((candidate) => candidate.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  };
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
const around = (seconds: number, found: number | null): void => {
  expect(found).toBeGreaterThanOrEqual(seconds);
  expect(found).toBeLessThan(seconds + 60);
};

const report = (kind: 'PAYMENT' | 'INVESTMENT', status: string, received: Date, processed: Date | null) =>
  execute(
    own.db,
    `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at,
       started_at, processed_at) VALUES ($1, $2, 'alpha', $1::uuid::text, 'x', '', '', $3, $4, $4, $5)`,
    [v7(), kind, status, received, processed],
  );

test('reports that wait and that nobody has judged: their number and the age of the oldest, by kind', async () => {
  await report('INVESTMENT', 'WAITING', ago(700), null);
  await report('INVESTMENT', 'WAITING', ago(70), null);
  await report('INVESTMENT', 'DEAD', ago(9_000), ago(500));
  await report('INVESTMENT', 'DISCARDED', ago(9_999), ago(9_999));
  await report('PAYMENT', 'DEAD', ago(900), ago(900));
  await report('PAYMENT', 'PROCESSED', ago(9_999), ago(9_999));
  const value = await values();
  expect(value('platform_reports_waiting{kind="PAYMENT"}')).toBe(0);
  expect(value('platform_reports_oldest_waiting_seconds{kind="PAYMENT"}')).toBe(0);
  expect(value('platform_reports_waiting{kind="INVESTMENT"}')).toBe(2);
  around(700, value('platform_reports_oldest_waiting_seconds{kind="INVESTMENT"}'));
  expect(value('platform_reports_dead{kind="PAYMENT"}')).toBe(1);
  around(900, value('platform_reports_oldest_dead_seconds{kind="PAYMENT"}'));
  expect(value('platform_reports_dead{kind="INVESTMENT"}')).toBe(1);
  around(500, value('platform_reports_oldest_dead_seconds{kind="INVESTMENT"}'));
});

test('reports that became DEAD within the hour count although more were dealt with meanwhile', async () => {
  const count = async () => (await values())('platform_reports_dead_last_hour{kind="PAYMENT"}');
  for (let old = 0; old < 20; old++) await report('PAYMENT', 'DEAD', ago(9_000), ago(3_700));
  const before = await count();
  await execute(
    own.db,
    `UPDATE webhook_events SET status = 'DISCARDED', processed_at = now() WHERE processed_at < $1`,
    [ago(3_650)],
  );
  for (let fresh = 0; fresh < 15; fresh++) await report('PAYMENT', 'DEAD', ago(9_000), ago(fresh * 200));
  expect((await count())! - before!).toBe(15);
});

test('what a provider owes, and since when it has been too much', async () => {
  const { code } = await make.provider(own.db);
  await execute(
    own.db,
    `INSERT INTO investment_provider_debts (provider_code, currency, owed_minor, counted_at, beyond_since)
     VALUES ($1, 'USD', 5000, now(), $2), ($1, 'EUR', -7, now(), NULL)`,
    [code, ago(3_600)],
  );
  const value = await values();
  const debt = (name: string, currency: string) =>
    value(`platform_investment_provider_${name}{provider="${code}",currency="${currency}"}`);
  expect([debt('owed_minor', 'USD'), debt('owed_minor', 'EUR')]).toEqual([5000, -7]);
  around(3_600, debt('beyond_limit_seconds', 'USD'));
  expect(debt('beyond_limit_seconds', 'EUR')).toBe(0);
});

describe('participations that are mature and that a report of their payout holds', () => {
  const HOUR = 3_600;
  const externalIds = ['long', 'lately', 'running', 'applied', 'profit', 'elsewhere'];
  const reportOf = (provider: string, waitsFor: string, type: string, status: string) =>
    execute(
      own.db,
      `INSERT INTO webhook_events (id, kind, provider, external_event_id, type, body, body_hash, status, received_at, waits_for)
       VALUES ($1, 'INVESTMENT', $2, $1::uuid::text, $4, '{}', '', $5, now(), CASE WHEN $5 = 'WAITING' THEN $3 END)`,
      [v7(), provider, waitsFor, type, status],
    );

  /** One matured 30 hours ago, one 2 hours ago; the others are not mature, or no report of a payout waits for them. */
  async function held() {
    const strategy = await make.strategy(own.db);
    const other = await make.provider(own.db);
    const ids: Record<string, string> = {};
    for (const externalId of externalIds) {
      const { id } = await make.participation(own.db, {
        ...{ strategyId: strategy.id, status: 'ACTIVE', externalId, durationDays: 10 },
        at: ago(10 * 24 * HOUR + (externalId === 'long' ? 30 : externalId === 'running' ? -1 : 2) * HOUR),
      });
      ids[id] = externalId;
    }
    const { providerCode } = strategy;
    for (const externalId of ['long', 'lately', 'running'])
      await reportOf(providerCode, externalId, 'investment.withdrawn', 'WAITING');
    await reportOf(providerCode, 'applied', 'investment.withdrawn', 'DISCARDED');
    await reportOf(providerCode, 'profit', 'profit.distributed', 'WAITING');
    await reportOf(other.code, 'elsewhere', 'investment.withdrawn', 'WAITING');
    return ids;
  }

  test('are counted, with the time since the first matured, and are not overdue; the others are', async () => {
    const ids = await held();
    const value = await values();
    expect(value('platform_participations_held')).toBe(2);
    around(30 * HOUR, value('platform_participations_held_oldest_seconds'));
    const overdue = await overdueParticipations(own.db);
    expect(overdue.map(({ entity }) => ids[entity]).sort()).toEqual(['applied', 'elsewhere', 'profit']);
  });
});

test('differences with payment providers that are open, by kind, and since when a day is not compared', async () => {
  const DAY_SECONDS = 86_400;
  const midnight = Math.floor(Date.now() / 1_000 / DAY_SECONDS) * DAY_SECONDS;
  const day = (before: number): string =>
    new Date((midnight - before * DAY_SECONDS) * 1_000).toISOString().slice(0, 10);
  const behind = async () => (await values())('platform_reconciliation_behind_seconds{provider="sandbox"}');
  const open = async () => (await values())('platform_reconciliation_differences{kind="MISSING_HERE"}');
  const sinceMidnight = (days: number): number =>
    Math.floor(Date.now() / 1_000) - midnight + days * DAY_SECONDS;
  expect([await open(), await behind()]).toEqual([0, null]);
  const { id } = await make.difference(own.db, { day: day(3) });
  for (const before of [2, 1]) await make.difference(own.db, { day: day(before) });
  around(sinceMidnight(0), await behind());
  expect(await open()).toBe(3);
  await execute(own.db, 'UPDATE provider_reconciliations SET compared_at = NULL WHERE day = $1', [day(2)]);
  await execute(own.db, 'UPDATE reconciliation_differences SET resolved_at = now() WHERE id = $1', [id]);
  around(sinceMidnight(2), await behind());
  expect(await open()).toBe(2);
});
