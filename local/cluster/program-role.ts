import { Client } from 'pg';

/** The role that API and workers sign in as; migrations, as the owner, decide what it may do. */
const PROGRAM_ROLE = 'marketplace';

/** Makes the programs' role unless it is there, and gives it this password; it can do nothing yet. */
export async function ensureProgramRole(adminUrl: string, password: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [PROGRAM_ROLE]);
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
    await client.query(
      `${verb} ROLE ${PROGRAM_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS
         PASSWORD ${client.escapeLiteral(password)}`,
    );
  } finally {
    await client.end();
  }
}

/** The address of the same database for the programs' role. */
export function programUrlOf(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = PROGRAM_ROLE;
  url.password = encodeURIComponent(password);
  return url.href;
}
