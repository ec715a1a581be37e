import { salutation } from '../../administration/outbox/letter.rules';

/** The fields of an account whose change its owner is informed of. */
export interface ReachableUser {
  firstName: string;
  email: string;
  phone: string | null;
  roles: readonly string[];
}

interface UserChangeMessages {
  /** `name` distinguishes the mails of one change. */
  mails: {
    name: 'old-email' | 'new-email' | 'email';
    to: string;
    content: { subject: string; greeting: string; paragraphs: readonly string[] };
  }[];
  sms: { to: string; text: string } | null;
}

/**
 * The messages about a change of email address, phone number or roles that the owner did not make: mail to the
 * address before and after, SMS to the number before. Empty without such a change. The address before may be another
 * person's by now, so its mail reports nothing else.
 */
export function userChangeMessages(before: ReachableUser, after: ReachableUser): UserChangeMessages {
  const emailChanged = before.email !== after.email;
  const phoneChanged = before.phone !== after.phone;
  const common = [
    ...(phoneChanged ? [after.phone === null ? PHONE_REMOVED : PHONE_CHANGED] : []),
    ...(emailChanged || phoneChanged ? ['You have been signed out on all devices.'] : []),
    WARNING,
  ];
  const roles = before.roles.join() === after.roles.join() ? [] : ['Your roles have changed.'];
  const mails: UserChangeMessages['mails'] = [];
  const mail = (to: string, name: (typeof mails)[number]['name'], paragraphs: readonly string[]): void => {
    const greeting = salutation(after.firstName);
    mails.push({ name, to, content: { subject: 'Your account was changed', greeting, paragraphs } });
  };

  if (emailChanged) {
    mail(before.email, 'old-email', [OLD_ADDRESS, WARNING]);
    mail(after.email, 'new-email', [NEW_ADDRESS, ...roles, ...common]);
  } else if (phoneChanged || roles.length > 0) mail(after.email, 'email', [...roles, ...common]);
  if (!phoneChanged || before.phone === null) return { mails, sms: null };
  const text = `${after.phone === null ? PHONE_REMOVED : PHONE_CHANGED} ${WARNING}`;
  return { mails, sms: { to: before.phone, text } };
}

const OLD_ADDRESS =
  'An administrator changed the email address of your account. The account no longer uses this address.';
const NEW_ADDRESS = 'An administrator changed the email address of your account to this address.';
const PHONE_CHANGED = 'An administrator changed the phone number of your account.';
const PHONE_REMOVED = 'An administrator removed the phone number of your account.';
const WARNING = 'If you did not request this, contact our support at once.';
