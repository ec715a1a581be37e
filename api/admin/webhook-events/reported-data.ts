/** Fields of reports that are shown: ids, amounts, dates and states. Everything else may be about a person, and is hidden. */
const SHOWN = new Set([
  ...['externalId', 'investmentExternalId', 'participationId', 'userId', 'strategyCode'],
  ...[
    'amount',
    'currency',
    'penalty',
    'period',
    'status',
    'level',
    'currentValue',
    'startDate',
    'maturityDate',
  ],
  ...['key', 'paymentId', 'chargebackId', 'amountMinor', 'feeMinor'],
  ...['id', 'payment_intent', 'payment_status', 'amount_total', 'amount_received', 'attempt_id', 'created'],
]);

/** A short text of visible characters and spaces that is no email address. */
const PLAIN = /^[\x20-\x3f\x41-\x7e]{1,255}$/;

export interface ReportedData {
  data: Record<string, string | number | boolean | null>;
  /** The names of fields that are not shown. */
  hidden: string[];
}

const MOST_HIDDEN = 50;

/** The content of a stored report, without personal data; null where its text is of no agreed form. */
export function reportedData(body: string): ReportedData | null {
  const report = objectIn(parsed(body), 'data');
  // Stripe sends the whole object, and our attempt within its metadata.
  const said = objectIn(report, 'object') ?? report;
  if (!said) return null;
  const fields = Object.entries({ ...objectIn(said, 'metadata'), ...said });
  const shown = fields.filter((field): field is [string, string | number | boolean | null] => isShown(field));
  const names = new Set(shown.map(([name]) => name));
  const hidden = fields.map(([name]) => name).filter((name) => !names.has(name) && PLAIN.test(name));
  return { data: Object.fromEntries(shown), hidden: hidden.slice(0, MOST_HIDDEN) };
}

function isShown([name, value]: [string, unknown]): boolean {
  if (!SHOWN.has(name)) return false;
  if (typeof value === 'string') return PLAIN.test(value);
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function objectIn(value: unknown, name: string): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof found === 'object' && found !== null && !Array.isArray(found)
    ? (found as Record<string, unknown>)
    : null;
}
