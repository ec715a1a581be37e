import { startPools } from '../../../../activities/partners/pool/start-pools';
import { execute } from '../../../../db/sql/query';
import type { PoolInput } from '../../../../workflows/partners/pool/pool.contract';
import { poolPeriodAt } from '../../../../workflows/partners/pool/pool-period.rules';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const at = new Date('2026-11-23T00:15:00Z');

test('a backlog of years is started from the oldest on, at most 60 periods at once', async () => {
  const begun: string[] = [];
  const start = (_process: unknown, input: unknown) => {
    begun.push((input as PoolInput).period);
    return Promise.resolve('started' as const);
  };
  const { id } = await make.partner(own.db);
  const joinedAt = new Date('2024-01-10T12:00:00Z');
  await execute(own.db, 'UPDATE partners SET joined_at = $2 WHERE id = $1', [id, joinedAt]);
  const started = await startPools({ db: own.db, start }, 'WEEKLY', at);
  expect(started).toEqual(begun);
  expect(started).toHaveLength(60);
  expect(started.slice(0, 2)).toEqual([poolPeriodAt('WEEKLY', joinedAt).period, '2024-W03']);
});
