import pino, { type DestinationStream, type Logger, type LevelWithSilent } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { describeError } from '../../../db/sql/describe-error';
import { logOptions } from '../../../db/sql/log-options';
import { requestStateOf } from './visit';

/** Of a path, what can still be one of ours. */
const LONGEST_PATH = 300;

/** A logger that writes one JSON object a line. */
export function createLogger(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = logOptions('api', level);
  return destination ? pino(options, destination) : pino(options);
}

/**
 * One line per request when it is answered. Only what is named here is written: no header, query, cookie or body, so
 * no token or password can be.
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
    // It makes a logger with the request in it that nothing here uses: to write all of it out is most of its cost.
    serializers: { err: describeError, req: () => undefined },
    customSuccessObject: whoAndWhat,
    // What went wrong has a line of its own, written where it was known.
    customErrorObject: (req, res, _error, measured) => whoAndWhat(req, res, measured),
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered with an error',
  });
}

/** Probes come every few seconds and say nothing while all is well. */
function levelOf(req: Request, res: Response, error?: Error): 'debug' | 'info' | 'warn' | 'error' {
  const probe = req.originalUrl.startsWith('/health/');
  if (error !== undefined || res.statusCode >= 500) return probe ? 'warn' : 'error';
  return probe ? 'debug' : 'info';
}

/** What a line about a request is found by beside the request's id, as far as it is known yet. */
export function idsOf(req: Request): { userId?: string; workflowId?: string[]; traceId?: string } {
  const { authenticated, traceId, workflowIds } = requestStateOf(req);
  return {
    ...(authenticated && { userId: authenticated.caller.id }),
    ...(workflowIds.size > 0 && { workflowId: [...workflowIds] }),
    ...(traceId !== null && { traceId }),
  };
}

const Measured = z.object({ durationMs: z.number() });

function whoAndWhat(req: Request, res: Response, measured: unknown): object {
  const { clientAddress, endpoint } = requestStateOf(req);
  return {
    method: req.method,
    route: endpoint?.path ?? null,
    path: req.originalUrl.replace(/\?.*$/s, '').slice(0, LONGEST_PATH),
    status: res.statusCode,
    ...Measured.safeParse(measured).data,
    clientAddress,
    ...idsOf(req),
    ...(!res.writableFinished && { abandoned: true }),
  };
}
