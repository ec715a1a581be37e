import { refusalIn, type ErrorCode } from '../../../workflows/errors';
import type { Endpoint, RequestInput } from '../../http/endpoint';
import { validated } from '../../http/request/validation/validation';
import recorded from './refused.json';
import { nameOf, pathExample } from './requests';

/** A refusal as callers get it: the message, and the rule and the fields that it is about. */
export interface RefusalExample {
  message: string;
  reason?: string;
  details?: Readonly<Record<string, readonly string[]>>;
}

type ByCode = Readonly<Record<string, RefusalExample>>;

/** Refusals that tests of the API were answered; `npm run examples` records them. */
export const recordedRefusals: { byCode: ByCode; byEndpoint: Readonly<Record<string, ByCode>> } = recorded;

/**
 * A real refusal of the endpoint with this code: what its contract says to an incomplete request, else the recorded one,
 * else what another endpoint answers with the code.
 */
export function refusalExample(endpoint: Endpoint, code: ErrorCode): RefusalExample {
  const { byCode, byEndpoint } = recordedRefusals;
  const answered = byEndpoint[nameOf(endpoint)]?.[code] ?? byCode[code];
  return (code === 'VALIDATION_ERROR' ? invalidRequest(endpoint) : null) ?? answered ?? { message: code };
}

/** The contract's answer to a request that lacks everything or names nothing; null if it accepts that. */
function invalidRequest(endpoint: Endpoint): RefusalExample | null {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, pathExample(endpoint, name)]));
  const unknown = Object.fromEntries(names.map((name) => [name, 'x']));
  const incomplete: readonly RequestInput[] = [
    { params, query: {}, body: {} },
    { params, query: { page: '0', status: 'x' }, body: {} },
    { params: unknown, query: {}, body: {} },
  ];
  for (const input of incomplete) {
    const refused = endpoint.raw ? null : refusalOf(endpoint, input);
    if (refused) return refused;
  }
  return null;
}

function refusalOf(endpoint: Endpoint, input: RequestInput): RefusalExample | null {
  try {
    validated(endpoint, input);
    return null;
  } catch (error) {
    const refused = refusalIn(error);
    return refused && { message: refused.message, ...(refused.details && { details: refused.details }) };
  }
}
