import { QueryTypes } from 'sequelize';
import type { Pool, PoolClient } from 'pg';
import type { Db } from '../../../db/sql/query';

interface Options {
  bind?: unknown[];
  type?: string;
  transaction?: PoolClient;
}

/**
 * The platform's statements on a bare `pg` pool: what runs is the same SQL, without Sequelize in between. It knows
 * exactly the parts of Sequelize that db/sql/query.ts and db/sql/transaction.ts use.
 */
export function bareDb(pool: Pool): Db {
  const query = async (text: string, { bind, type, transaction }: Options): Promise<unknown> => {
    const result = await (transaction ?? pool).query(text, bind ?? []);
    return type === QueryTypes.SELECT ? result.rows : [result.rows, { rowCount: result.rowCount }];
  };
  const transaction = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };
  return { sequelize: { query, transaction } } as unknown as Db; // The parts of Sequelize that the platform uses.
}
