import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import type { Tx } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';

/** Refuses with FORBIDDEN while codes for signing in go to the user's number by SMS. */
export async function requireNoSmsSignIn(tx: Tx, userId: string): Promise<void> {
  if ((await twoFactorMethodOf(tx, userId)) === 'SMS')
    throw refusal('FORBIDDEN', 'Turn off two-factor sign-in by SMS before you change its phone number.');
}
