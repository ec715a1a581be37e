import { v7 } from 'uuid';
import { letter } from '../../administration/outbox/letter';
import { enqueueMail, enqueueSms } from '../../administration/outbox/outbox.writes';
import type { Tx } from '../../sql/query';

/** What of an account its owner is told about when somebody else changes it. */
export interface ReachableUser {
  firstName: string;
  email: string;
  phone: string | null;
  roles: readonly string[];
}

/**
 * Queues the messages about a change of e-mail address, telephone number or roles that the owner did not make: mail to
 * the address before and after, SMS to the number before. Without such a change nothing is queued.
 */
export async function queueUserChangeMessages(
  tx: Tx,
  before: ReachableUser,
  after: ReachableUser,
): Promise<void> {
  const event = `user-change:${v7()}`;
  const emailChanged = before.email !== after.email;
  const phoneChanged = before.phone !== after.phone;
  const common = [
    ...(phoneChanged ? [after.phone === null ? PHONE_REMOVED : PHONE_CHANGED] : []),
    ...(emailChanged || phoneChanged ? ['Wherever you were signed in, you are signed out.'] : []),
    WARNING,
  ];
  const roles =
    before.roles.join() === after.roles.join() ? [] : [`Your roles are now ${after.roles.join(', ')}.`];
  const mail = (to: string, name: string, paragraphs: readonly string[]): Promise<void> =>
    enqueueMail(tx, {
      reference: `${event}:${name}`,
      to,
      ...letter({ subject: 'Your account was changed', greeting: `Hello ${after.firstName},`, paragraphs }),
    });

  if (emailChanged) {
    await mail(before.email, 'old-email', [OLD_ADDRESS, ...common]);
    await mail(after.email, 'new-email', [NEW_ADDRESS, ...roles, ...common]);
  } else if (phoneChanged || roles.length > 0) await mail(after.email, 'email', [...roles, ...common]);
  if (phoneChanged && before.phone !== null)
    await enqueueSms(tx, {
      reference: `${event}:old-phone`,
      to: before.phone,
      text: `${after.phone === null ? PHONE_REMOVED : PHONE_CHANGED} ${WARNING}`,
    });
}

const OLD_ADDRESS =
  'An administrator changed the e-mail address of your account. It no longer uses this address.';
const NEW_ADDRESS = 'An administrator made this the e-mail address of your account.';
const PHONE_CHANGED = 'An administrator changed the telephone number of your account.';
const PHONE_REMOVED = 'An administrator removed the telephone number of your account.';
const WARNING = 'If you did not ask for this, contact our support at once.';
