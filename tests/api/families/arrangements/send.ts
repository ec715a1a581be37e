import type { Response } from 'supertest';
import type { Endpoint } from '../../../../api/http/endpoint';
import type { Arranged } from './arranged';
import type { Ground, Person } from '../../../support/resources/ground';
import { filled } from './family-world';
import { arrangedFor } from './requests';

/** Sends an arranged request; without a token if the endpoint is public or `as` is null. */
export function sendArranged(
  { world }: Ground,
  endpoint: Endpoint,
  as: Person | null,
  { params, query, body, sending }: Arranged,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = world.http[endpoint.method](`/api/v1${filled(endpoint.path, params)}`).set(headers);
  if (as && endpoint.auth !== 'public') void request.auth(as.token, { type: 'bearer' });
  if (query) void request.query(query);
  if (sending) void sending(request);
  else if (body) void request.send(body);
  return request.then((answer) => answer);
}

/** Calls an endpoint so that it succeeds. */
export const send = async (family: Ground, endpoint: Endpoint, as: Person): Promise<Response> =>
  sendArranged(family, endpoint, as, await arrangedFor(family, endpoint, as));
