import pino, { type DestinationStream, type Logger, type LevelWithSilent } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { describeError } from '../../../db/sql/describe-error';
import { logOptions } from '../../../db/sql/log-options';
import { errorCodeOf, routeLabel } from './request-labels';
import { requestStateOf } from './request-state';

/** No path of ours is longer. */
const LONGEST_PATH = 300;

/** A logger that writes one JSON object per line. */
export function createLogger(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = logOptions('api', level);
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Writes one line per request when it is answered, with only the fields named here. Headers, query, cookies and body
 * are left out, so no token or password can be logged.
 */
export function requestLog(log: Logger): HttpLogger<Request, Response> {
  return pinoHttp<Request, Response>({
    logger: log,
    genReqId: (req) => requestStateOf(req).requestId,
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    customAttributeKeys: { reqId: 'requestId', responseTime: 'durationMs' },
    customLogLevel: levelOf,
    // pino-http binds the request to a logger that nothing uses; serialising it would be most of the cost.
    serializers: { err: describeError, req: () => undefined },
    customSuccessObject: lineOf,
    // The error itself was logged where it happened (`failed`).
    customErrorObject: (req, res, _error, measured) => lineOf(req, res, measured),
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered with an error',
  });
}

/** Probes come every few seconds, so successful ones are logged at debug only. */
function levelOf(req: Request, res: Response, error?: Error): 'debug' | 'info' | 'warn' | 'error' {
  const probe = req.originalUrl.startsWith('/health/');
  if (error !== undefined || res.statusCode >= 500) return probe ? 'warn' : 'error';
  return probe ? 'debug' : 'info';
}

/** The ids by which a line can be found besides the request's id, as far as they are known. */
export function idsOf(req: Request): { userId?: string; workflowId?: string[]; traceId?: string } {
  const { authenticated, traceId, workflowIds } = requestStateOf(req);
  return {
    ...(authenticated && { userId: authenticated.caller.id }),
    ...(workflowIds.size > 0 && { workflowId: [...workflowIds] }),
    ...(traceId !== null && { traceId }),
  };
}

const Measured = z.object({ durationMs: z.number() });

function lineOf(req: Request, res: Response, measured: unknown): object {
  const { clientAddress } = requestStateOf(req);
  const code = errorCodeOf(req, res);
  return {
    method: req.method,
    route: routeLabel(req),
    path: req.originalUrl.replace(/\?.*$/s, '').slice(0, LONGEST_PATH),
    status: res.statusCode,
    ...(code !== null && { code }),
    ...Measured.safeParse(measured).data,
    clientAddress,
    ...idsOf(req),
    ...(!res.writableFinished && { abandoned: true }),
  };
}
