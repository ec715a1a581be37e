import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { connect } from '../../db/connection';
import type { Db } from '../../db/sql';
import { given } from './given';

/** A migrated database that no other test file sees. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Db;
  /** Closes the pool and drops the database, with whatever connections others still hold. */
  drop: () => Promise<void>;
}

/** Copies the migrated template, which takes some tens of milliseconds. */
export async function createDatabase({ poolMax = 20 } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${given('TEST_TEMPLATE_DATABASE')}`);
  const url = given('TEST_POSTGRES_URL').replace(/\/[^/]*$/, `/${name}`);
  const db = connect({ DATABASE_URL: url, DATABASE_POOL_MAX: poolMax }, 'test');
  return {
    url,
    db,
    async drop() {
      await db.sequelize.close();
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Gives the calling test file a database of its own for as long as it runs; to be called at its top level. */
export function ownDatabase(): Pick<TestDatabase, 'db' | 'url'> {
  let database: TestDatabase | undefined;
  const open = (): TestDatabase => {
    if (!database) throw new Error('The database exists only while tests run.');
    return database;
  };
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await database?.drop();
  });
  return {
    get db() {
      return open().db;
    },
    get url() {
      return open().url;
    },
  };
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new Client({ connectionString: given('TEST_POSTGRES_URL') });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
