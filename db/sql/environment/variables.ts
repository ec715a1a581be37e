import type { z } from 'zod';

/** A variable of the environment is missing or wrong; the message names it and says what to do. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError';
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The part of a fault that the sentence is made from. */
type Issue = Pick<z.core.$ZodIssue, 'code' | 'message' | 'path'> & {
  format?: string;
  values?: readonly unknown[];
  minimum?: unknown;
  maximum?: unknown;
  expected?: string;
};

/** The way out where a variable is missing and the machine itself may have its value; it puts no secret into `argv`. */
function platformFile({ DATA_DIR: dir = '.data' }: Variables): string {
  const file = `${/^[/.]/.test(dir) ? dir : `./${dir}`}/platform.env`;
  return `for a command next to \`npm start\`, which writes it to ${file}: set -a; . ${file}; set +a; npm run …`;
}

const HINTS: Variables = {
  DATABASE_URL: 'to postgres://user:password@host:port/name',
  SEALING_KEYS: 'to name:base64 of 32 random bytes, the keys of API and workers',
};

/**
 * Reads variables by their schema. Throws ConfigurationError with a sentence for each fault, in which no value appears,
 * because values may be secrets.
 */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Variables,
): z.output<Schema> {
  const parsed = schema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map((issue) => sentenceOf(issue, variables));
  throw new ConfigurationError(
    ['The configuration is wrong:', ...new Set(sentences).values()].join('\n  ') + '\nSee .env.example.',
  );
}

/** The text for the operator when a program cannot start; null for an error that is none of the configuration. */
export const configurationFault = (error: unknown): string | null =>
  error instanceof ConfigurationError ? error.message : null;

function sentenceOf(issue: Issue, variables: Variables): string {
  const [variable] = issue.path.map(String);
  if (variable === undefined) return `${issue.message}.`;
  if (variables[variable] === undefined) {
    const hint = HINTS[variable];
    return `${variable} must be set${hint === undefined ? '' : ` ${hint}; ${platformFile(variables)}`}.`;
  }
  const [, ...inner] = issue.path;
  const where = inner.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const fault = faultOf(issue);
  return `${variable}${where}${/^(must|may|is|has|holds) /.test(fault) ? ' ' : ': '}${fault}.`;
}

/** Zod's own messages speak about types; those of our schemas are used as they are. */
function faultOf(issue: Issue): string {
  const { code, message } = issue;
  if (!/^(Invalid|Too |Unrecognized)/.test(message)) return message;
  return `must be ${REQUIRED[code]?.(issue) ?? AS_SHOWN}`;
}

const AS_SHOWN = 'as .env.example shows';

/** The words for what Zod found missing, by its code. */
const REQUIRED: Partial<Record<Issue['code'], (issue: Issue) => string | undefined>> = {
  invalid_value: ({ values = [] }) => `one of ${values.join(', ')}`,
  too_small: ({ minimum }) => `at least ${String(minimum)}`,
  too_big: ({ maximum }) => `at most ${String(maximum)}`,
  invalid_format: ({ format = '' }) => FORMATS[format],
  invalid_type: ({ expected = '' }) => TYPES[expected],
};

const FORMATS: Variables = {
  url: 'an address of the kind that .env.example shows',
  email: 'an email address',
};

const TYPES: Variables = {
  number: 'a number',
  int: 'a whole number',
  array: 'a JSON array',
  object: 'a JSON object',
};
