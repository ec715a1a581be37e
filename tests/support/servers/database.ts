import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { connect } from '../../../db/sql/connection';
import type { Db } from '../../../db/sql/query';
import { programUrlOf } from '../../../local/cluster/program-role';
import { provided } from '../run/provided';
import { PROGRAM_PASSWORD, testKeys } from '../worlds/variables';

/** A migrated database that no other test file sees. */
export interface TestDatabase {
  /** In the role of our programs, which may change neither the schema nor append-only tables. */
  readonly url: string;
  readonly db: Db;
  /** In the role that owns the schema, for tests that change it or bypass its guards. */
  readonly ownerUrl: string;
  readonly owner: Db;
  /** Closes the pool and drops the database, with the connections that others still hold. */
  drop: () => Promise<void>;
}

/** Copies the migrated template, which takes some tens of milliseconds. */
export async function createDatabase({ poolMax = 20 } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${provided('TEST_TEMPLATE_DATABASE')}`);
  const ownerUrl = provided('TEST_POSTGRES_URL').replace(/\/[^/]*$/, `/${name}`);
  const url = programUrlOf(ownerUrl, PROGRAM_PASSWORD);
  const db = connect({ DATABASE_URL: url, DATABASE_POOL_MAX: poolMax }, 'test', undefined, {
    keys: testKeys,
  });
  // It fills tables too, which on a busy machine takes longer than any statement of a program may.
  const ownerOptions = {
    DATABASE_URL: ownerUrl,
    DATABASE_POOL_MAX: 5,
    DATABASE_STATEMENT_TIMEOUT_MS: 300_000,
  };
  const owner = connect(ownerOptions, 'test owner', undefined, { keys: testKeys });
  return {
    url,
    db,
    ownerUrl,
    owner,
    async drop() {
      await db.sequelize.close();
      await owner.sequelize.close();
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** A database of its own for the calling test file, while it runs; call it at the top level. */
export function ownDatabase(): Omit<TestDatabase, 'drop'> {
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
    get owner() {
      return open().owner;
    },
    get ownerUrl() {
      return open().ownerUrl;
    },
  };
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new Client({ connectionString: provided('TEST_POSTGRES_URL') });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
