import { verify } from '@node-rs/argon2';
import { rows, type Db } from '../../sql/query';
import { StartRefused } from '../../program/start-guard';
import { DEMO_ACCOUNTS } from './demo-accounts';

/** The refusal to start while a public demo password opens an administrator's account. */
export class DemoAdministratorError extends StartRefused {
  override readonly name = 'DemoAdministratorError';

  constructor(emails: readonly string[]) {
    super(
      `A demo password, which everyone can read, opens the administrator ${emails.join(', ')}. ` +
        `Take the roles away: ${emails.map((email) => `SEALING_KEYS=… npm run admins -- remove ${email} --admin`).join('; ')} ` +
        'with the keys of API and workers (with --force for the last SUPER_ADMIN; the seed then adds the one that ADMIN_EMAIL and ADMIN_PASSWORD name).',
    );
  }
}

/**
 * Throws DemoAdministratorError while a demo password opens an account with ADMIN or SUPER_ADMIN. Only accounts of the
 * seed are verified, recognised by their UUID v5, so that the cost does not grow with the platform.
 */
export async function refuseDemoAdministrators(db: Db): Promise<void> {
  const seeded = await rows<{ email: string; passwordHash: string }>(
    db,
    `SELECT email, password_hash FROM users
      WHERE roles && '{ADMIN,SUPER_ADMIN}' AND substr(id::text, 15, 1) = '5'
        AND password_hash IS NOT NULL AND status <> 'BANNED'
      ORDER BY email`,
  );
  const passwords = [...new Set(DEMO_ACCOUNTS.map(({ password }) => password))];
  const open: string[] = [];
  for (const { email, passwordHash } of seeded) {
    const matches = await Promise.all(passwords.map((password) => verify(passwordHash, password)));
    if (matches.includes(true)) open.push(email);
  }
  if (open.length > 0) throw new DemoAdministratorError(open);
}
