import type { Db } from '../sql/query';
import type { KeyRing } from './key-ring';

/** The sealing keys of a connection. Throws when it was opened without: secrets must not be written unsealed. */
export function keysOf({ keys }: Db): KeyRing {
  if (!keys) throw new Error('This connection was opened without SEALING_KEYS.');
  return keys;
}
