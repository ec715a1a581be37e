import type { Client as Postgres } from 'pg';

/** The number of statements that the server ran meanwhile, of all clients; the ten most frequent ones by name. */
export async function statementsOf(
  sql: Postgres,
  work: () => Promise<void>,
): Promise<{ statements: number; most: { text: string; calls: number }[] }> {
  await sql.query('SELECT pg_stat_statements_reset()');
  await work();
  const { rows } = await sql.query<{ text: string; calls: string }>(
    `SELECT query AS text, sum(calls) AS calls FROM pg_stat_statements
     WHERE toplevel AND query NOT LIKE '%pg_stat_statements%' GROUP BY query ORDER BY calls DESC`,
  );
  const most = rows.map(({ text, calls }) => ({ text, calls: Number(calls) }));
  return { statements: most.reduce((sum, { calls }) => sum + calls, 0), most };
}
