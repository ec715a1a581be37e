import { SeedConfig } from '../../../db/sql/config';
import { seedOptionsOf } from '../../../db/schema/seed';
import { seed } from '../../../db/schema/seed/plan';
import { rows, type Db } from '../../../db/sql/query';
import { createDatabase, type TestDatabase } from '../../support/servers/database';

export interface Person {
  id: string;
  email: string;
  hash: string;
  roles: string[];
  kyc: string;
}

/** A migrated database without rows, with functions that seed and read it. */
export class SeedWorld {
  private constructor(private readonly database: TestDatabase) {}

  static async open(): Promise<SeedWorld> {
    return new SeedWorld(await createDatabase());
  }

  get db(): Db {
    return this.database.db;
  }

  get owner(): Db {
    return this.database.owner;
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  /** Runs the seed with these variables; answers the titles of the steps that it added. */
  start(variables: Record<string, string> = {}): Promise<string[]> {
    return seed(this.db, seedOptionsOf(SeedConfig.parse({ DATABASE_URL: this.database.url, ...variables })));
  }

  /** Every row of every table, as text. */
  async everything(): Promise<Map<string, string[]>> {
    const tables = await rows<{ name: string }>(
      this.db,
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const contents = new Map<string, string[]>();
    for (const { name } of tables) {
      const found = await rows<{ row: string }>(this.db, `SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      contents.set(
        name,
        found.map(({ row }) => row),
      );
    }
    return contents;
  }

  /** The number of rows of `what`, the text after FROM. */
  async count(what: string): Promise<number> {
    const [found] = await rows<{ n: number }>(this.db, `SELECT count(*)::int AS n FROM ${what}`);
    return found!.n;
  }

  people(): Promise<Person[]> {
    return rows<Person>(
      this.db,
      `SELECT id, email, password_hash AS hash, roles, kyc_level AS kyc FROM users
       WHERE status = 'ACTIVE' ORDER BY email`,
    );
  }
}
