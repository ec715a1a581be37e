import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type RawIssue<Of extends z.core.$ZodIssueBase = Issue> = z.core.$ZodRawIssue<Of>;

/** Longer lists of allowed values are not written out. */
const MOST_LISTED = 10;

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a date like 1990-01-31',
  datetime: 'must be a timestamp like 2026-01-31T12:00:00Z',
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
};

const FALLBACK = 'is not valid';

/** The message of an issue, as a fragment that follows the field's name. A schema's own message goes before it. */
export function fieldMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? FALLBACK;
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? FALLBACK;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return alternatives(issue);
    case 'invalid_key':
      return keyMessage(issue.issues);
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'custom':
    case 'invalid_element':
      return FALLBACK;
  }
}

/** Options for parsing requests: these messages, and the input in each issue, which shows whether one is missing. */
export const requestParsing = { error: fieldMessage, reportInput: true } as const;

/** The message of a field that was left out, or sent twice in a query; else the issue's own message. */
export function messageOf(issue: Issue): string {
  if (issue.code === 'custom') return issue.message;
  if (issue.input === undefined) return missing(issue);
  if (issue.path[0] === 'query' && Array.isArray(issue.input) && !expectsList(issue))
    return 'must not be repeated';
  return issue.message;
}

const expectsList = (issue: Issue): boolean =>
  (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'array';

function missing(issue: Issue): string {
  const values = issue.code === 'invalid_value' ? issue.values : [];
  return values.length > 1 && values.length <= MOST_LISTED ? `is required: ${listed(values)}` : 'is required';
}

type Bound = RawIssue<z.core.$ZodIssueTooSmall> | RawIssue<z.core.$ZodIssueTooBig>;

function bound(issue: Bound): string {
  const isLeast = issue.code === 'too_small';
  const limit = Number(isLeast ? issue.minimum : issue.maximum);
  // The bound of every whole number, where its schema has none.
  if (Math.abs(limit) === Number.MAX_SAFE_INTEGER) return isLeast ? 'is too small' : 'is too large';
  const most = issue.exact ? 'exactly' : isLeast ? 'at least' : 'at most';
  if (issue.origin === 'string')
    return isLeast && limit === 1 && !issue.exact
      ? 'must not be empty'
      : `must be ${most} ${counted(limit, 'character')} long`;
  if (issue.origin === 'array')
    return isLeast && limit === 1 && !issue.exact
      ? 'must not be empty'
      : `must have ${most} ${counted(limit, 'item')}`;
  if (issue.inclusive === false) return `must be ${isLeast ? 'more' : 'less'} than ${limit}`;
  return `must be ${most} ${limit}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const listed = (values: readonly unknown[]): string => values.map(String).join(', ');

function oneOf(values: readonly unknown[]): string {
  if (values.length === 1) return `must be ${String(values[0])}`;
  // A boolean in a query, which may also be written as a digit.
  if (values.includes('true') && values.includes('false')) return TYPES['boolean'] ?? FALLBACK;
  return values.length <= MOST_LISTED ? `must be one of ${listed(values)}` : FALLBACK;
}

/** The messages of a union's members in one: `must be text or a list`. */
function alternatives(issue: RawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (Array.isArray(issue.options)) return oneOf(issue.options);
  const messages = issue.errors.map(([first]) => first?.message ?? FALLBACK);
  const [first = FALLBACK, ...others] = [...new Set(messages)];
  return [first, ...others.map((message) => message.replace(/^must be /, ''))].join(' or ');
}

const keyMessage = ([first]: readonly Issue[]): string => `has a name that ${first?.message ?? FALLBACK}`;

/** Issues after which nothing else can be said of the same value. */
const ENDING: ReadonlySet<string | undefined> = new Set([
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'invalid_union',
  'invalid_key',
]);

const isOfSafeRange = (issue: Issue): boolean =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);

/**
 * The messages about one field, one for each fault: of a value without its format nothing more is said, and one that is
 * too short or too long is not also called malformed. Several rules may be broken at once.
 */
export function messagesOf(issues: readonly Issue[]): string[] {
  const [first] = issues;
  if (!first) return [];
  const said = ENDING.has(first.code) ? [first] : issues.filter(({ code }) => !ENDING.has(code));
  // A bound of the field itself says more than the largest number that JSON carries exactly.
  const bounds = said.filter((issue) => !isOfSafeRange(issue));
  return [...new Set((bounds.length > 0 ? bounds : said).map(messageOf))];
}
