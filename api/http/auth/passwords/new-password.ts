import { z } from 'zod';
import type { PasswordOwner } from '../../../../db/identity/password/password.reads';
import { REMEMBERED_PASSWORDS } from '../../../../db/identity/password/password.reads';
import { refusal } from '../../../../workflows/errors';
import { withstandsGuessing } from './password-strength';
import type { Passwords } from './passwords';

/** How the document says what is refused one by one. */
const ALL_RULES = '^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])';

/** A password that is being chosen. Chosen: at most 128 characters, all of which count. */
export const newPassword = () =>
  z
    .string()
    .min(8)
    .max(128)
    .refine((password) => /[A-Z]/.test(password), 'must hold an upper-case letter (A to Z)')
    .refine((password) => /[a-z]/.test(password), 'must hold a lower-case letter (a to z)')
    .refine((password) => /[0-9]/.test(password), 'must hold a digit')
    .meta({
      pattern: ALL_RULES,
      description: 'Names, e-mail address and what is easily guessed are refused.',
      example: 'Umbrella-7-tango',
    });

/** What names a person: the first things that anybody would guess. */
type Person = Pick<PasswordOwner, 'email' | 'firstName' | 'lastName'>;

/** Refused: PASSWORD_MISMATCH. */
export function requireMatching({
  password,
  confirmPassword,
}: Record<'password' | 'confirmPassword', string>) {
  if (password !== confirmPassword)
    throw refusal('PASSWORD_MISMATCH', 'The two passwords are not the same.', {
      confirmPassword: ['differs from the password'],
    });
}

/** Refused: PASSWORD_TOO_WEAK. */
export function requireStrong(password: string, { email, firstName, lastName }: Person): void {
  const words = [email, ...email.split(/[@.+_-]/), firstName, lastName, `${firstName}${lastName}`];
  if (!withstandsGuessing(password, words.filter(Boolean)))
    throw refusal(
      'PASSWORD_TOO_WEAK',
      'This password is easily guessed. Choose a longer one, or rarer words.',
      {
        password: ['is easily guessed'],
      },
    );
}

/** Refused: PASSWORD_RECENTLY_USED, for the present password and those shortly before it. */
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
          password: ['was used lately'],
        },
      );
  }
}
