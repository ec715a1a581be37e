import { execute, rows, type Db } from '../../../../db/sql/query';
import { make } from '../make';

/** As many users as these, with money at the provider of the strategy, copied from one. */
export async function manyInvestors(db: Db, strategyId: string, count: number): Promise<string[]> {
  const first = await make.user(db);
  const one = await make.participation(db, {
    ...{ userId: first.id, strategyId, status: 'ACTIVE', origin: 'PROVIDER' },
  });
  const copies = count - 1;
  const users = await rows<{ id: string }>(
    db,
    `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(),
         'email', 'investor-' || n || '-' || u.email))).* FROM users u, generate_series(1, $2::int) AS n WHERE u.id = $1
     RETURNING id`,
    [first.id, copies],
  );
  const ids = users.map(({ id }) => id);
  await execute(
    db,
    `INSERT INTO participations SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
         'number', p.number || '-' || copied.n, 'user_id', copied.id))).*
       FROM participations p, unnest($2::uuid[]) WITH ORDINALITY AS copied (id, n)
      WHERE p.id = $1`,
    [one.id, ids],
  );
  return [first.id, ...ids].sort();
}
