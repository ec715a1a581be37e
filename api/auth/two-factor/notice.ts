import { v7 } from 'uuid';
import { letter } from '../../../db/administration/letter';
import { enqueueMail } from '../../../db/administration/outbox.writes';
import type { LockedUser } from '../../../db/identity/user-lock.writes';
import type { Tx } from '../../../db/sql';

/** Tells people that the way they sign in has changed: whoever did not change it themselves must hear of it. */
export async function tellOfTwoFactor(tx: Tx, user: LockedUser, change: 'on' | 'off'): Promise<void> {
  const content = letter({
    subject: `Two-factor sign-in is ${change}`,
    greeting: `Hello ${user.firstName},`,
    paragraphs: [
      `two-factor sign-in for your account was turned ${change}. All your other sessions have ended.`,
      'If that was not you, change your password at once.',
    ],
  });
  await enqueueMail(tx, { reference: `two-factor:${v7()}`, to: user.email, ...content });
}
