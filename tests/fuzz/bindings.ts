import { z } from 'zod';
import { documentedPath } from '../../api/docs/path';
import type { Endpoint } from '../../api/http/endpoint';
import { identifiedBy, type Identified } from '../../api/http/request/ids/identified';
import { shapeOf } from '../support/resources/schemas';
import type { Dictionaries } from './world/dictionaries';

type Location = 'path' | 'query' | 'body';

/** The dictionaries of fields that identify nothing, by their name. */
const VALUES: Readonly<Record<string, string>> = {
  amount: 'amounts',
  code: 'sentCodes',
  country: 'countries',
  day: 'utcDays',
  email: 'emails',
  month: 'months',
  password: 'passwords',
  phone: 'phones',
  provider: 'providers',
  requestedLevel: 'levels',
};

/** A telephone number must exist in its country's plan, so well-formed ones are taken from the dictionary. */
const ALWAYS = new Set(['phones']);

export const isAdministration = ({ auth }: Pick<Endpoint, 'auth'>): boolean =>
  auth === 'admin' || auth === 'super-admin';

/**
 * The dictionary of a resource in these states: of the buyer, or of others for administrators. A body or a query names what
 * no path does, since requests remove what their path names.
 */
const dictionaryNamed = (
  endpoint: Pick<Endpoint, 'auth'>,
  location: Location,
  { resource, states }: Identified,
): string =>
  [
    isAdministration(endpoint) ? 'others' : 'own',
    resource,
    ...states,
    ...(location === 'path' ? [] : ['named']),
  ]
    .join('_')
    .replace(/\W/g, '_');

/** The dictionary of a field of a body that fits a resource, such as its amount. */
export const fittingName = (dictionary: string, field: string): string => `${dictionary}_${field}`;

const fieldsOf = ({ params, query, body }: Pick<Endpoint, 'params' | 'query' | 'body'>, location: Location) =>
  shapeOf({ path: params, query, body }[location]);

/** The dictionary for one parameter or field of an endpoint, if there is one. */
export function dictionaryOf(
  endpoint: Endpoint,
  location: Location,
  name: string,
  dictionaries: Dictionaries,
): string | undefined {
  const field = fieldsOf(endpoint, location)[name];
  if (!field) return undefined;
  const identified = identifiedBy(field);
  const fitting = location === 'body' ? fittingOf(endpoint, name) : [];
  const candidates = [
    ...(identified ? [dictionaryNamed(endpoint, location, identified)] : fitting),
    VALUES[name],
  ];
  return candidates.find(
    (candidate) =>
      candidate !== undefined &&
      dictionaries[candidate] !== undefined &&
      (identified || isPossible(field, dictionaries[candidate][0])),
  );
}

/** The dictionaries of such a field that fits what the path, or the body, identifies. */
const fittingOf = (endpoint: Endpoint, name: string): string[] =>
  (['path', 'body'] as const)
    .flatMap((location) => identifiedIn(endpoint, location))
    .map((dictionary) => fittingName(dictionary.name, name));

/** All that a part of the endpoint's requests identifies, with its dictionary. */
export const identifiedIn = (endpoint: Endpoint, location: Location) =>
  Object.values(fieldsOf(endpoint, location))
    .flatMap((field) => identifiedBy(field) ?? [])
    .map((identified) => ({ identified, name: dictionaryNamed(endpoint, location, identified) }));

/** True for a field that takes the value, and not any other text as well: a code that people choose is no sent one. */
const isPossible = (field: z.core.$ZodType, value: unknown): boolean =>
  z.safeParse(field, value).success && (value !== SENT_CODE || !z.safeParse(field, 'SUMMER-15').success);

export const SENT_CODE = '123456';

/** The same for Schemathesis, as TOML: mostly existing values, else generated ones. */
export const bindingsAsToml = (endpoints: readonly Endpoint[], dictionaries: Dictionaries): string[] =>
  endpoints.flatMap((endpoint) => {
    const parameters = (['path', 'query', 'body'] as const).flatMap((location) =>
      Object.keys(fieldsOf(endpoint, location)).flatMap((name) => {
        const dictionary = dictionaryOf(endpoint, location, name, dictionaries);
        return dictionary === undefined || dictionaries[dictionary]?.length === 0
          ? []
          : [`"${location}.${name}" = ${bound(dictionary)}`];
      }),
    );
    const named = `${endpoint.method.toUpperCase()} ${documentedPath(endpoint)}`;
    return parameters.length === 0
      ? []
      : [`[[operations]]\ninclude-name = "${named}"\nparameters = { ${parameters.join(', ')} }\n`];
  });

const bound = (dictionary: string): string =>
  `{ dictionary = "${dictionary}", probability = ${ALWAYS.has(dictionary) ? '1.0' : '0.6'} }`;
