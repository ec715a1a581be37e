import type { Request, Response } from 'express';
import { refusal } from '../../../workflows/errors';
import { isLarge, readBody } from '../body/body';
import type { ServerDeps } from '../deps';
import type { Asked, Endpoint } from '../endpoint';
import type { Limiter } from '../limits/limiter';
import { signedReports, unsignedReports } from '../limits/limits';
import { hold, networkOf, refuseSpent } from '../limits/rate-limit';
import { checked } from './validation';
import { requestStateOf } from '../observe/visit';

type ReportEndpoint = Endpoint & Required<Pick<Endpoint, 'sender'>>;

/** Whether an endpoint takes reports that other companies sign. */
export const takesReports = (endpoint: Endpoint): endpoint is ReportEndpoint => endpoint.sender !== undefined;

interface SignedReport {
  asked: Asked;
  bytes: Buffer;
}

/**
 * Takes a report in, in this order: who the path says has sent it, the body within its bound, the signature, and only
 * then a count. Signed reports count for their sender; what anybody can send without a secret counts for their own
 * network alone, so that no flood of it keeps a sender's reports out. A network that has used its count up is refused
 * large bodies unread. Chosen: small ones are still verified, for a sender may share the network; its reports are a
 * few kB, and to verify one costs less than to refuse it.
 */
export async function signedReport(
  req: Request,
  res: Response,
  {
    db,
    paymentIntake,
    policy,
    limiter,
  }: Pick<ServerDeps, 'db' | 'paymentIntake' | 'policy'> & { limiter: Limiter },
  endpoint: ReportEndpoint,
): Promise<SignedReport> {
  const asked = checked(endpoint, { params: req.params, query: req.query, body: {} });
  const { name, isSigned } = await endpoint.sender(asked.params, { db, paymentIntake });
  const route = `${endpoint.method} ${endpoint.path}`;
  const unsigned = { scope: `unsigned ${route}`, client: networkOf(requestStateOf(req)) };
  if (isLarge(req)) await refuseSpent(limiter, unsignedReports(policy), unsigned, res);
  const bytes = await readBody(req, res, endpoint);
  if (await isSigned({ rawBody: bytes, header: (header) => req.get(header) }, new Date())) {
    await hold(limiter, signedReports(policy), { scope: route, client: `sender:${name}` }, res);
    return { asked, bytes };
  }
  await hold(limiter, unsignedReports(policy), unsigned, res);
  throw refusal('INVALID_SIGNATURE', 'The signature is missing, wrong or too old.');
}

/** Whether a request is for an endpoint that takes signed reports, as far as method and path tell. */
export function isForReports(endpoints: readonly Endpoint[], mount: string): (req: Request) => boolean {
  const paths = endpoints.filter(takesReports).map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${mount}${path.replace(/:\w+/g, '[^/]+')}/?$`),
  }));
  return (req) => paths.some(({ method, path }) => req.method === method && path.test(req.path));
}
