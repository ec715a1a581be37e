import { z } from 'zod';

/*
 * Pure, because the API imports it: what the `variables.ts` of providers are made of, and what derives from them.
 */

/** The variables of a provider, by the program that reads them. */
export interface ProviderVariables {
  readonly api: z.ZodRawShape;
  readonly worker: z.ZodRawShape;
  /** The names of those that have to be set where the provider takes payments. */
  readonly required?: readonly string[];
}

type Program = 'api' | 'worker';

/** All members of a union at once. */
type All<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer Every) => void
  ? Every
  : never;

/** The variables that a program reads for these providers. */
export const variablesOf = <
  Providers extends readonly { readonly variables: ProviderVariables }[],
  Reader extends Program,
>(
  providers: Providers,
  program: Reader,
): All<Providers[number]['variables'][Reader]> =>
  Object.assign({}, ...providers.map(({ variables }) => variables[program])) as All<
    Providers[number]['variables'][Reader]
  >;

/**
 * The sentence about a variable that is not set, which this program requires because of PAYMENT_PROVIDER; null if there is
 * none.
 */
export function missingVariable(
  providers: readonly { readonly code: string; readonly variables: ProviderVariables }[],
  program: Program,
  config: { PAYMENT_PROVIDER: string },
): string | null {
  const chosen = providers.find(({ code }) => code === config.PAYMENT_PROVIDER);
  if (!chosen) return null;
  const { [program]: read, required = [] } = chosen.variables;
  const values = new Map<string, unknown>(Object.entries(config));
  const missing = required.find((name) => Object.hasOwn(read, name) && isUnset(values.get(name)));
  return missing === undefined ? null : `PAYMENT_PROVIDER is ${chosen.code}, so ${missing} must be set.`;
}

const isUnset = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

/** A web address without a slash at the end. */
export const WebAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** A secret in the form of Standard Webhooks. */
const Secret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    'must be whsec_ and at least 24 bytes in base64; several parted by commas',
  );

/** Secrets in the form of Standard Webhooks, separated by commas; one at least. */
export const StandardSecrets = z
  .string()
  .transform((secrets) => secrets.split(',').map((secret) => secret.trim()))
  .pipe(z.tuple([Secret], Secret));
