import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';
import type { KeyRing } from '../../sealing/key-ring';
import { canonical, type Json } from './canonical-json';

const SECRET =
  /password|secret|token|hash|authorization|cookie|api_?key|private_?key|card_?number|cvc|cvv|iban|account_?number|wallet_?id|backup_?codes|(two_?factor|totp|verification|otp)_?code/i;

/** Names of fields that identify a person, in records of any entity. */
const PERSONAL =
  /^(.*e_?mail(_?address)?|.*phone(_?number)?|(first|last|middle|full|family|given|display)_?name|(date_?of_?birth|birth_?(date|day))|(shipping|billing|postal|delivery)_?address|recipient(_?name)?|(address_?)?line_?[12]|street)$/i;

/** The fields of a user that a record shows unchanged; free text of other fields could identify the person. */
const SHOWN_OF_PEOPLE = new Set([
  ...['status', 'roles', 'reason', 'language', 'timezone', 'region', 'decision'],
  // The operator's name on the machine, since operators act without an account.
  'operator',
]);

/** Values that identify no person: codes such as SUSPENDED, ids of rows, and timestamps. */
const IMPERSONAL = new RegExp(`^([A-Z][A-Z0-9_]*|${UUID_PATTERN}|\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z)$`);

const FINGERPRINT_LENGTH = 24;

/**
 * The value as an audit record has it: secrets are replaced, and personal data become a keyed fingerprint, which can
 * be compared but not reversed. Records are never erased, not even with an account, so they hold no personal data.
 */
export function auditValue(value: unknown, entityType: string, keys: KeyRing): Json {
  if (value === undefined) return null;
  const plain = JSON.parse(JSON.stringify(value)) as Json;
  return withoutPersonalData(plain, '', entityType === 'user', keys);
}

function withoutPersonalData(value: Json, name: string, ofPerson: boolean, keys: KeyRing): Json {
  if (value === null) return null;
  if (SECRET.test(name)) return '[redacted]';
  if (PERSONAL.test(name)) return fingerprint(value, keys);
  if (Array.isArray(value)) return value.map((item) => withoutPersonalData(item, name, ofPerson, keys));
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        member,
        withoutPersonalData(inner, member, ofPerson, keys),
      ]),
    );
  const isShown =
    !ofPerson || typeof value !== 'string' || SHOWN_OF_PEOPLE.has(name) || IMPERSONAL.test(value);
  return isShown ? value : fingerprint(value, keys);
}

const fingerprint = (value: Json, keys: KeyRing): string =>
  `fingerprint:${keys.fingerprint(Buffer.from(canonical(value)), 'audit').slice(0, FINGERPRINT_LENGTH)}`;
