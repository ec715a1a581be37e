import { QueryTypes } from 'sequelize';
import type { Db } from '../../../db/sql/query';

/** Reads once; answers the plan of each of its statements, executed a second time. */
export async function plansOf(db: Db, read: () => Promise<unknown>): Promise<string[]> {
  const sent = jest.spyOn(db.sequelize, 'query');
  await read();
  const statements = sent.mock.calls as unknown as [string, { bind: unknown[] }][];
  const calls = statements.map(([text, { bind }]) => ({ text, bind }));
  sent.mockRestore();
  const plans: string[] = [];
  for (const { text, bind } of calls) {
    const lines = await db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  }
  return plans;
}
