import type { KeyRing } from '../../sealing/key-ring';
import { canonical, type Json } from './canonical-json';

const SECRET =
  /password|secret|token|hash|authorization|cookie|api_?key|private_?key|card_?number|cvc|cvv|iban|account_?number|wallet_?id|backup_?codes|(two_?factor|totp|verification|otp)_?code/i;

/** What says who somebody is, whatever record it stands in. */
const PERSONAL =
  /^(.*e_?mail(_?address)?|.*phone(_?number)?|(first|last|middle|full|family|given|display)_?name|(date_?of_?birth|birth_?(date|day))|(shipping|billing|postal|delivery)_?address|recipient(_?name)?|(address_?)?line_?[12]|street)$/i;

/** The fields of a person that a record shows as they are; free text of others would say who it is. */
const SHOWN_OF_PEOPLE = new Set([
  ...['status', 'roles', 'reason', 'language', 'timezone', 'region', 'decision'],
  // The operator's name on the machine: who acts without an account has to be found.
  'operator',
]);

/** Values that say nothing of a person: codes such as SUSPENDED, ids of rows, and moments. */
const IMPERSONAL = /^([A-Z][A-Z0-9_]*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}T[\d:.]+Z)$/;

const FINGERPRINT_LENGTH = 24;

/**
 * The value as an audit record keeps it for good: secrets blacked out, and what says who somebody is as a fingerprint
 * under our key, by which two values can be compared and nobody found. Records cannot be erased with an account, so
 * nothing personal may stand in them.
 */
export function auditValue(value: unknown, entityType: string, keys: KeyRing): Json {
  if (value === undefined) return null;
  const plain = JSON.parse(JSON.stringify(value)) as Json;
  return kept(plain, '', entityType === 'user', keys);
}

function kept(value: Json, name: string, ofPerson: boolean, keys: KeyRing): Json {
  if (value === null) return null;
  if (SECRET.test(name)) return '[redacted]';
  if (PERSONAL.test(name)) return fingerprint(value, keys);
  if (Array.isArray(value)) return value.map((item) => kept(item, name, ofPerson, keys));
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, kept(inner, member, ofPerson, keys)]),
    );
  const isShown =
    !ofPerson || typeof value !== 'string' || SHOWN_OF_PEOPLE.has(name) || IMPERSONAL.test(value);
  return isShown ? value : fingerprint(value, keys);
}

const fingerprint = (value: Json, keys: KeyRing): string =>
  `fingerprint:${keys.fingerprint(Buffer.from(canonical(value)), 'audit').slice(0, FINGERPRINT_LENGTH)}`;
