import { execute, firstRow, rows, type Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { noteOf } from '../../support/builders/ordering';

/** The tables with rows about a user that are erased. */
const TABLES = [
  'addresses',
  'backup_codes',
  'carts',
  'external_accounts',
  'login_challenges',
  'mailed_tokens',
  'password_history',
  'pending_registrations',
  'review_votes',
  'second_factors',
  'sent_codes',
  'sessions',
  'user_notes',
];

/** Every table with a column `user_id` or `partner_id`, from the database's catalogue. */
export const tablesOfPeople = async (db: Db): Promise<string[]> =>
  (
    await rows<{ name: string }>(
      db,
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name IN ('user_id', 'partner_id') ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** A user with rows in all of these tables, and `traces`: the personal data that is left. */
export async function livingPerson(db: Db) {
  const user = await make.user(db, { firstName: 'Grace', lastName: 'Hopper' });
  const of = [user.id];
  await make.address(db, user.id);
  await make.cart(db, user.id, []);
  await make.review(db, { helpfulTo: [user.id] });
  const noteId = await noteOf(db, user.id, 'I live in Berlin.');
  const statements = [
    `UPDATE users SET phone = '+4930' || substr(id::text, 29, 6), middle_name = 'M', date_of_birth = '1985-12-10',
       country_code = 'DE', home_region = 'B', city = 'B', postal_code = '1', address_line1 = 'x', language = 'de',
       timezone = 'Europe/Berlin', currency = 'EUR', avatar_url = 'https://x.example/a', accepted_marketing = true,
       payout_method = 'CARD', payout_masked = '•••• 1', payout_sealed = 'x', payout_changed_at = now(),
       last_login_at = now() WHERE id = $1`,
    `INSERT INTO sessions (id, user_id, ip_address, created_at, last_active_at, expires_at)
       VALUES (gen_random_uuid(), $1, '192.0.2.1', now(), now(), now() + interval '99 days')`,
    `INSERT INTO second_factors (user_id, method, created_at, enabled_at) VALUES ($1, 'EMAIL', now(), now())`,
    `INSERT INTO backup_codes (user_id, code_hash) VALUES ($1, 'h')`,
    `INSERT INTO external_accounts (issuer, subject, user_id, created_at) VALUES ('i', $1::text, $1::uuid, now())`,
    `INSERT INTO password_history (id, user_id, password_hash, replaced_at) VALUES (gen_random_uuid(), $1, 'h', now())`,
    `INSERT INTO user_notes (id, user_id, content, created_by, created_at)
       VALUES (gen_random_uuid(), $1, 'is nice', $1, now())`,
  ];
  for (const statement of statements) await execute(db, statement, of);
  const traces = async () => {
    const counts = await Promise.all(
      TABLES.map((table) =>
        firstRow<{ n: number }>(db, `SELECT count(*)::int AS n FROM ${table} WHERE user_id = $1`, of),
      ),
    );
    const row = await firstRow<Record<string, unknown>>(
      db,
      `SELECT email, phone, phone_verified_at, first_name, last_name, middle_name, date_of_birth, avatar_url,
              country_code, home_region, city, postal_code, address_line1, language, timezone, currency, password_hash,
              payout_method, payout_masked, payout_sealed, last_login_at, email_verified_at,
              nullif(accepted_marketing, false) AS accepted_marketing, roles, status FROM users WHERE id = $1`,
      of,
    );
    const sessions = await rows<{ reason: string | null }>(
      db,
      'SELECT revoke_reason AS reason FROM sessions WHERE user_id = $1',
      of,
    );
    return {
      personal: Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== null)),
      rows: counts.reduce((sum, count) => sum + (count?.n ?? 0), 0),
      sessions: sessions.map(({ reason }) => reason),
      note: await firstRow(db, 'SELECT text, client_address FROM request_notes WHERE id = $1', [noteId]),
    };
  };
  return { user, traces };
}
