import { poolFigures } from '../../../db/partners/pool/pool-figures.reads';
import { execute } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { poolPeriodAt } from '../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const DAY_MS = 24 * 3_600_000;
const ageOfOldest = async (): Promise<number> =>
  (await inTransaction(own.db, (tx) => poolFigures(tx))).oldestDueSeconds;

test('the oldest pool that is due is that of the period in which the first partner joined', async () => {
  expect(await ageOfOldest()).toBe(0);
  const { id } = await make.partner(own.db);
  expect(await ageOfOldest()).toBe(0);
  const joinedAt = new Date(Date.now() - 100 * DAY_MS);
  await execute(own.db, 'UPDATE partners SET joined_at = $2 WHERE id = $1', [id, joinedAt]);
  const { kind, period, startsAt, endsAt } = poolPeriodAt('WEEKLY', joinedAt);
  expect(await ageOfOldest()).toBeCloseTo((Date.now() - endsAt.getTime()) / 1000, -2);

  await execute(
    own.db,
    `INSERT INTO pool_runs (id, kind, period, starts_at, ends_at, programme_version, currency, base_minor, rate_bp, pool_minor,
       minimum_volume_minor, denominator, participants, distributed_minor, status, counted_at, last_sale_number, completed_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, 1, 'USD', 0, 100, 0, 0, 0, 0, 0, 'COMPLETED', now(), 0, now())`,
    [kind, period, startsAt, endsAt],
  );
  const next = Math.min(
    ...[poolPeriodAt('WEEKLY', endsAt), poolPeriodAt('MONTHLY', joinedAt)].map((due) => due.endsAt.getTime()),
  );
  expect(await ageOfOldest()).toBeCloseTo((Date.now() - next) / 1000, -2);
});
