import { rows, type Db } from '../../../db/sql/query';
import { eventually } from '../checks/eventually';

/**
 * Vacuums and analyses the tables until every page of them is known as visible to all, so that plans are those of a table
 * at rest. A vacuum leaves out pages whose commit is not on disk yet, and those that other work, such as the server's own
 * analysing, could still have to see as they were.
 */
export async function vacuum(owner: Db, ...tables: string[]): Promise<void> {
  await eventually(async () => {
    await owner.sequelize.query(`VACUUM ANALYZE ${tables.join(', ')}`);
    const left = await rows<{ name: string }>(
      owner,
      `SELECT relname AS name FROM pg_class WHERE oid = ANY ($1::regclass[]) AND relallvisible < relpages`,
      [tables],
    );
    expect(left).toEqual([]);
  });
}
