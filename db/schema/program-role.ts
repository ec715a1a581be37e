import { execute, rows, type Db, type Tx } from '../sql/query';
import { inTransaction } from '../sql/transaction';

/** Append-only tables: programs may read and insert, nothing else. */
export const APPEND_ONLY_TABLES: readonly string[] = [
  'audit_records',
  'audit_heads',
  'ledger_entries',
  'ledger_transfers',
];

/** The migrations' table, which programs only read. */
const READ_ONLY_TABLE = 'schema_migrations';

/** The role in the address of a database. */
export const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * Grants the programs' role its rights in the migrated schema and revokes all others: it reads and writes rows, but owns
 * nothing, so it can neither change the schema nor disable a trigger. Default privileges cover later tables until this
 * runs again. Throws when the role has more rights by other means.
 */
export async function grantToPrograms(owner: Db, role: string): Promise<void> {
  await refusePowerful(owner, role);
  await inTransaction(owner, (tx) => grant(tx, `"${role.replaceAll('"', '""')}"`));
}

async function refusePowerful(db: Db, role: string): Promise<void> {
  const [found] = await rows<{ superuser: boolean; owned: number }>(
    db,
    `SELECT rolsuper AS superuser, (SELECT count(*)::int FROM pg_class c
         WHERE c.relowner = r.oid AND c.relnamespace = 'public'::regnamespace) AS owned
       FROM pg_roles r WHERE rolname = $1`,
    [role],
  );
  if (!found) throw new Error(`The role ${role} of DATABASE_URL does not exist.`);
  if (found.superuser || found.owned > 0)
    throw new Error(
      `The role ${role} of DATABASE_URL ${found.superuser ? 'is a superuser' : 'owns tables'}, so it could alter the ` +
        'audit trail. Name another one there, or leave DATABASE_OWNER_URL out to accept that.',
    );
}

async function grant(tx: Tx, role: string): Promise<void> {
  const existing = await rows<{ name: string }>(
    tx,
    `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname = ANY ($1)`,
    [[...APPEND_ONLY_TABLES, READ_ONLY_TABLE]],
  );
  const statements = [
    `REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${role}`,
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
    ...existing.map(
      ({ name }) =>
        `REVOKE ${name === READ_ONLY_TABLE ? 'INSERT, ' : ''}UPDATE, DELETE ON ${name} FROM ${role}`,
    ),
  ];
  for (const statement of statements) await execute(tx, statement);
}
