import { SECRET_PURPOSES } from '../../../../workflows/investment/strategy/strategy.rules';

/** Rewrites recorded answers so that recording twice gives the same text, without secrets, machines or present times. */

const SITE = 'https://shop.example.com';
/** The moment at which all recorded answers were given. */
const NOW = Date.parse('2026-03-02T09:30:00.000Z');
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Values of fields that hold secrets or depend on chance, by name. */
const FIXED: Readonly<Record<string, unknown>> = {
  accessToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIwMTk5ZjBjMiJ9.c2lnbmF0dXJl',
  refreshToken: 'wq3mD0eVvE2n7pHh1yQm0Zc9oT4bS6uXk8rLJfAgNiY',
  tempToken: '5Jt0a7Ykq2cV9dXw3mZr8LhPb1EfUoGn6TsQiKyBvAc',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  webhookSecret: 'whsec_bWFkZS11cC1mb3ItdGhlLWRvY3VtZW50YXRpb24tMTI=',
  ssoKey: 'bWFkZS11cC1mb3ItdGhlLWRvY3VtZW50YXRpb24tMTI',
  qrCode: 'data:image/png;base64,iVBORw0KGgo=',
  referralCode: 'ADA7KM2P',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  ipAddress: '203.0.113.7',
  clientAddress: '203.0.113.7',
  // They depend on what else was recorded.
  checked: 1284,
  // It depends on the day of the week.
  dueAt: '2026-03-10T09:30:00.000Z',
  // A midnight, which is another distance from each time of a day.
  periodStart: '2026-02-23T00:00:00.000Z',
};

/** The code of a partner's link, which is drawn at random. */
const LINK_CODE = 'K7M2PQ4X';
const LIKE_LINK_CODE = /^[A-HJ-NP-Z2-9]{8}$/;

const BACKUP_CODE = '2TQ4SZ-7MKVPA-D6WXNC-H3RJYB';

/** Names that the builders of tests number. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(person|family|newcomer)\d+@example\.com/g, 'ada@example.com'],
  [/\bProduct \d+\b/g, 'Enamel kettle'],
  [/\bproduct-\d+\b/g, 'enamel-kettle'],
  [/\b(SKU|FAMILY-GOODS)-\d+\b/g, 'KETTLE-1L'],
  [/\bCategory \d+\b/g, 'Travel headphones'],
  [/\bcategory-\d+\b/g, 'travel-headphones'],
  [/\bStrategy \d+\b/g, 'Harbour Bonds'],
  [/\bstrategy-\d+\b/g, 'harbour-bonds'],
  [/\bStrategies \d+\b/g, 'Bonds'],
  [/\bstrategies-\d+\b/g, 'bonds'],
  [/\bProvider \d+\b/g, 'Alpha Capital'],
  [/\bprovider-\d+\b/g, 'alpha'],
  [/\bVariant \d+\b/g, 'Blue, 1 l'],
  [/\bParcel \d+\b/g, 'Parcel shop'],
  [/\bSAVE\d+\b/g, 'SAVE10'],
  [/\bPARTNER\d+\b/g, 'ADA7KM2P'],
  [/\blink=[A-Z0-9]{8}\b/g, `link=${LINK_CODE}`],
  [/\bFAMILY-\d+\b/g, 'SUMMER-15'],
  [/^test:/g, 'top-up:'],
  [/\+49309018\d+/g, '+4930901820'],
  [/https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g, SITE],
  [/\bORD-\d{4}-\d+\b/g, 'ORD-2026-00000339'],
  [/\bINV-\d{4}-\d+\b/g, 'INV-2026-00000012'],
  [/\bTOP-\d{4}-\d+\b/g, 'TOP-2026-00000012'],
  [/\b127\.0\.0\.1\b|::1/g, '203.0.113.7'],
  [/^([a-z-]+)-[0-9a-f]{8}\.(jpg|pdf)$/g, '$1-4f7ba5a2.$2'],
  [/\breconciliation:(\w+):\d{4}-\d\d-\d\d\b/g, 'reconciliation:$1:2026-02-27'],
  // A time in a message.
  [/\b\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC\b/g, '3 March 2026, 09:30 UTC'],
];

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const RANDOM = new RegExp(`${UUID}|[A-Za-z0-9_-]{22,}`, 'g');
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Most entries of a list; of one that makes sense only as a whole, more. */
const MOST_ENTRIES = 2;
const WHOLE = /^(statusHistory|events|backupCodes)$/;

/** True for the name of a kind of secret, such as WEBHOOK. */
const isPurpose = (value: unknown): boolean => (SECRET_PURPOSES as readonly unknown[]).includes(value);

/** The recorded value at the moment `at`; times that the request named stay. */
export function normalised(recorded: unknown, at: number, request = ''): unknown {
  const known = new Map<string, string>();
  const walk = (value: unknown, field: string): unknown => {
    if (value === null || value === undefined) return value;
    if (field in FIXED && typeof value !== 'object' && !isPurpose(value)) return FIXED[field];
    if (Array.isArray(value))
      return shortened(field, value).map((entry) => walk(entry, field === 'backupCodes' ? field : ''));
    if (typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]: [string, unknown]) => [
          name,
          isOfPeriod(value, name) ? inner : walk(inner, name),
        ]),
      );
    return typeof value === 'string' ? text(value, field) : value;
  };
  const text = (value: string, field: string): string => {
    if (field === 'backupCodes') return BACKUP_CODE;
    if (field === 'code' && LIKE_LINK_CODE.test(value)) return LINK_CODE;
    if (field === 'paymentUrl') return text(value.replace(/\?.*$/s, ''), '');
    if (field === 'id' && /^\d+$/.test(value)) return numbered(value);
    if (/^data:/.test(value)) return `${SITE}/media/${stable(value)}.webp`;
    if (DATE.test(value)) return request.includes(value) ? value : dateOf(value);
    const named = NAMES.reduce((result, [pattern, name]) => result.replace(pattern, name), value);
    const timed = named.replace(TIME, (time) => (mentions(request, time) ? time : timeOf(time)));
    return timed.replace(RANDOM, (random) => (isLasting(random) ? random : stable(random)));
  };
  const timeOf = (time: string) => new Date(NOW + rounded(Date.parse(time) - at)).toISOString();
  const dateOf = (date: string) => {
    const days = Math.round((Date.parse(date) - at) / DAY + 0.5);
    return Math.abs(days) > 400 ? date : new Date(NOW + days * DAY).toISOString().slice(0, 10);
  };
  /** The same for the same value, by the order in which they come. */
  const stable = (random: string): string => {
    const number = String(known.size + 1).padStart(2, '0');
    const id = new RegExp(`^${UUID}$`).test(random)
      ? `0199f0c2-7c2e-7000-8000-0000000000${number}`
      : `4f2a91bc7kd30q8mz1x566tpn8c2lr${number}`;
    const chosen = known.get(random) ?? id;
    known.set(random, chosen);
    return chosen;
  };
  const numbers: string[] = [];
  const numbered = (number: string): string => {
    if (!numbers.includes(number)) numbers.push(number);
    return String(4711 - numbers.indexOf(number));
  };
  return walk(recorded, '');
}

/** The first entries, those of the demo data before what a test made. */
function shortened(field: string, list: readonly unknown[]): readonly unknown[] {
  if (WHOLE.test(field)) return list;
  const isDemo = (entry: unknown): boolean =>
    typeof entry === 'object' && entry !== null && 'id' in entry && isLasting(String(entry.id));
  return [...list.filter(isDemo), ...list.filter((entry) => !isDemo(entry))].slice(0, MOST_ENTRIES);
}

/** True for ids of the seed, and for words that only look like a token. */
const isLasting = (text: string): boolean =>
  /^.{8}-.{4}-5/.test(text) || !/\d/.test(text) || /^[a-z]+(-[a-z0-9]+)+$/.test(text);

/** True for the times of a named period of a pool, which are the same whenever they are recorded. */
const isOfPeriod = (value: object, name: string): boolean =>
  'period' in value && (name === 'startsAt' || name === 'endsAt');

const mentions = (request: string, time: string): boolean =>
  [...request.matchAll(/"(\d{4}-\d\d-\d\dT[^"]+)"/g)].some(
    ([, sent]) => Date.parse(sent!) === Date.parse(time),
  );

/** A distance in time without the time that the test took. */
function rounded(ms: number): number {
  const unit = Math.abs(ms) < 10 * MINUTE ? 10 * MINUTE : Math.abs(ms) < DAY ? 5 * MINUTE : HOUR;
  return Math.round(ms / unit) * unit;
}
