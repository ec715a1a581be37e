import { QueryTypes } from 'sequelize';
import type { Db } from '../../../db/sql/query';

interface Sent {
  text: string;
  bind: unknown[];
}

/** Reads once; answers the statements that this sent. */
export async function statementsOf(db: Db, read: () => Promise<unknown>): Promise<Sent[]> {
  const { sequelize } = db;
  const sent: Sent[] = [];
  const query = sequelize.query.bind(sequelize) as (text: string, options: { bind: unknown[] }) => unknown;
  const observed = Object.assign(sequelize, {
    query(text: string, options: { bind: unknown[] }) {
      sent.push({ text, bind: options.bind });
      return query(text, options);
    },
  });
  try {
    await read();
  } finally {
    // That of its class is seen again.
    Reflect.deleteProperty(observed, 'query');
  }
  return sent;
}

/** Reads once; answers the plan of each of its statements, executed a second time. */
export async function plansOf(db: Db, read: () => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  for (const { text, bind } of await statementsOf(db, read)) {
    const lines = await db.sequelize.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, {
      ...{ bind, type: QueryTypes.SELECT },
    });
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  }
  return plans;
}
