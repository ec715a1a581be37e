import type { Db } from '../sql/query';
import type { KeyRing } from './key-ring';

/** The sealing keys that a program gave its connection. Throws where it gave none: it must not write in the clear. */
export function keysOf({ keys }: Db): KeyRing {
  if (!keys) throw new Error('This connection was opened without SEALING_KEYS.');
  return keys;
}
