import type { Request, Response } from 'express';
import { refusal } from '../../../workflows/errors';
import { isLarge, readBody } from '../body/body';
import type { ServerDeps } from '../deps';
import type { Endpoint, RequestInput } from '../endpoint';
import type { Limiter } from '../limits/limiter';
import { signedReports, unsignedReports } from '../limits/limits';
import { countOrRefuse, networkOf, refuseIfExhausted } from '../limits/rate-limit';
import { validated } from '../validation/validation';
import { requestStateOf } from '../observe/request-state';

type ReportEndpoint = Endpoint & Required<Pick<Endpoint, 'sender'>>;

/** True if an endpoint takes reports that other companies sign. */
export const takesReports = (endpoint: Endpoint): endpoint is ReportEndpoint => endpoint.sender !== undefined;

interface SignedReport {
  input: RequestInput;
  bytes: Buffer;
}

/**
 * Receives a report, in this order: the sender that the path names, the body within its size limit, the signature, and
 * only then the rate limit. Signed reports are counted for their sender, wrongly signed ones only for the network they
 * came from, so that a flood of them cannot block a sender. A network that has used its limit up is refused large
 * bodies unread. Chosen: small ones are still verified, because a sender may share the network; its reports are a few
 * kB, and verifying one costs less than refusing it.
 */
export async function signedReport(
  req: Request,
  res: Response,
  {
    db,
    paymentIntake,
    providerIntake,
    policy,
    limiter,
  }: Pick<ServerDeps, 'db' | 'paymentIntake' | 'providerIntake' | 'policy'> & { limiter: Limiter },
  endpoint: ReportEndpoint,
): Promise<SignedReport> {
  const input = validated(endpoint, { params: req.params, query: req.query, body: {} });
  const sender = await endpoint.sender(input.params, { db, paymentIntake, providerIntake });
  const route = `${endpoint.method} ${endpoint.path}`;
  const unsigned = { scope: `unsigned ${route}`, client: networkOf(requestStateOf(req)) };
  if (isLarge(req)) await refuseIfExhausted(limiter, unsignedReports(policy), unsigned, res);
  const bytes = await readBody(req, res, endpoint);
  if (await sender.isSigned({ rawBody: bytes, header: (header) => req.get(header) }, new Date())) {
    await countOrRefuse(
      limiter,
      signedReports(policy, sender),
      { scope: route, client: `sender:${sender.name}` },
      res,
    );
    return { input, bytes };
  }
  await countOrRefuse(limiter, unsignedReports(policy), unsigned, res);
  throw refusal('INVALID_SIGNATURE');
}

/** True if a request's method and path are those of an endpoint that takes signed reports. */
export function isForReports(endpoints: readonly Endpoint[], mount: string): (req: Request) => boolean {
  const paths = endpoints.filter(takesReports).map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${mount}${path.replace(/:\w+/g, '[^/]+')}/?$`),
  }));
  return (req) => paths.some(({ method, path }) => req.method === method && path.test(req.path));
}
