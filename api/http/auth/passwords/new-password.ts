import { z } from 'zod';
import type { PasswordOwner } from '../../../../db/identity/password/password.reads';
import { REMEMBERED_PASSWORDS } from '../../../../db/identity/password/password.reads';
import { refusal } from '../../../../workflows/errors';
import { withstandsGuessing } from './password-strength';
import type { Passwords } from './passwords';

/** All rules below as one pattern, for the API document. */
const ALL_RULES = '^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])';

/** The request field of a new password. Chosen: at most 128 characters, all of which count. */
export const newPassword = () =>
  z
    .string()
    .min(8)
    .max(128)
    .refine((password) => /[A-Z]/.test(password), 'must contain an upper-case letter (A to Z)')
    .refine((password) => /[a-z]/.test(password), 'must contain a lower-case letter (a to z)')
    .refine((password) => /[0-9]/.test(password), 'must contain a digit')
    .meta({
      pattern: ALL_RULES,
      description: 'Names, the email address and easily guessed passwords are refused.',
      example: 'Umbrella-7-tango',
    });

/** The data of a person that others would guess first. */
type Person = Pick<PasswordOwner, 'email' | 'firstName' | 'lastName'>;

/** Requires the repeated password to be the same. Refused: PASSWORD_MISMATCH. */
export function requireMatching({
  password,
  confirmPassword,
}: Record<'password' | 'confirmPassword', string>) {
  if (password !== confirmPassword)
    throw refusal('PASSWORD_MISMATCH', 'The passwords do not match.', {
      confirmPassword: ['does not match the password'],
    });
}

/** Requires a password that is hard to guess. Refused: PASSWORD_TOO_WEAK. */
export function requireStrong(password: string, { email, firstName, lastName }: Person): void {
  const words = [email, ...email.split(/[@.+_-]/), firstName, lastName, `${firstName}${lastName}`];
  if (!withstandsGuessing(password, words.filter(Boolean)))
    throw refusal(
      'PASSWORD_TOO_WEAK',
      'This password is easy to guess. Choose a longer or less common one.',
      {
        password: ['is easy to guess'],
      },
    );
}

/** Requires a password other than the current one and the last before it. Refused: PASSWORD_RECENTLY_USED. */
export async function requireUnused(
  passwords: Passwords,
  password: string,
  { passwordHash, earlierHashes }: PasswordOwner,
): Promise<void> {
  const hashes = passwordHash === null ? earlierHashes : [passwordHash, ...earlierHashes];
  for (const hash of hashes) {
    if (await passwords.matches(password, hash))
      throw refusal(
        'PASSWORD_RECENTLY_USED',
        `Choose a password other than your last ${REMEMBERED_PASSWORDS}.`,
        {
          password: ['was used recently'],
        },
      );
  }
}
