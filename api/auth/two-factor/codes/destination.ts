import type { CodeChannel } from '../../../../db/identity/second-factor/sent-code.writes';
import type { LockedUser } from '../../../../db/identity/user/user-lock.writes';

/** The address or number that a user's codes go to; null if it is not verified. */
export function destinationOf(user: LockedUser, channel: CodeChannel): string | null {
  if (channel === 'EMAIL') return user.isEmailVerified ? user.email : null;
  return user.isPhoneVerified ? user.phone : null;
}

/** A destination masked for display, which its owner recognises: `+49*****820`, `a***@example.com`. */
export function masked(destination: string): string {
  const at = destination.lastIndexOf('@');
  if (at > 0) return `${destination.slice(0, 1)}***${destination.slice(at)}`;
  return `${destination.slice(0, 3)}*****${destination.slice(-3)}`;
}
