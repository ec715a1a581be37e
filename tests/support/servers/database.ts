import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { connect } from '../../../db/sql/connection';
import type { Db } from '../../../db/sql/query';
import { programUrlOf } from '../../../local/cluster/program-role';
import { provided } from '../run/provided';
import { PROGRAM_PASSWORD, testKeys } from '../worlds/variables';

/** A migrated database that no other test file sees. */
export interface TestDatabase {
  /** As our programs reach it: in the role that may neither change the schema nor what is append-only. */
  readonly url: string;
  readonly db: Db;
  /** As migrations reach it: in the role that owns the schema, for tests that change it or get past its guards. */
  readonly ownerUrl: string;
  readonly owner: Db;
  /** Closes the pool and drops the database, with whatever connections others still hold. */
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
  const owner = connect({ DATABASE_URL: ownerUrl, DATABASE_POOL_MAX: 5 }, 'test owner', undefined, {
    keys: testKeys,
  });
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

/** Gives the calling test file a database of its own for as long as it runs; to be called at its top level. */
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
