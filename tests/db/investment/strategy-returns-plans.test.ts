import { QueryTypes } from 'sequelize';
import { refreshReturns } from '../../../db/investment/strategy/strategy-returns.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const NOW = new Date('2026-11-17T05:00:00Z');

/** The plan of the refresh, carried out once more. */
async function planOfRefresh(): Promise<string> {
  const sent = jest.spyOn(own.db.sequelize, 'query');
  await inTransaction(own.db, (tx) => refreshReturns(tx, NOW));
  const statements = sent.mock.calls as unknown as [string, { bind: unknown[] }][];
  const [text, { bind }] = statements.find(([statement]) => statement.includes('historical_returns'))!;
  sent.mockRestore();
  const lines = await own.db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, {
    ...{ bind, type: QueryTypes.SELECT },
  });
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

test('the parts that were paid out are added up once, and only of participations that had not ended before the first month', async () => {
  const { id: strategyId } = await make.strategy(own.db);
  const over = (from: string, to: string) =>
    make.participation(own.db, {
      ...{ strategyId, status: 'MATURED', durationDays: 3_650 },
      ...{ at: new Date(`${from}T00:00:00Z`), endedAt: new Date(`${to}T00:00:00Z`) },
    });
  await over('2022-01-01', '2024-10-31');
  await over('2022-01-01', '2024-12-01');
  await over('2025-01-01', '2026-01-01');
  const plan = await planOfRefresh();
  expect(/CTE held\n.* rows=(\d+)[^(]*\n/.exec(plan.replace(/\(cost[^)]*\) /g, ''))?.[1]).toBe('2');
  expect(plan).not.toContain('SubPlan');
});
