import pino, { type DestinationStream, type Logger, type LevelWithSilent, type LoggerOptions } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { visitOf } from './visit';

/** Of a stack, what stands close to the fault. */
const STACK_LINES = 8;
/** Of a path, what can still be one of ours. */
const LONGEST_PATH = 300;

/** A logger that writes one JSON object a line. */
export function createLogger(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * One line per request when it is answered. Only what is named here is written: no header, query, cookie or body, so
 * no token or password can be.
 */
export function requestLog(log: Logger): HttpLogger<Request, Response> {
  return pinoHttp<Request, Response>({
    logger: log,
    genReqId: (req) => visitOf(req).requestId,
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    customAttributeKeys: { reqId: 'requestId', responseTime: 'durationMs' },
    customLogLevel: levelOf,
    serializers: { err: describeError },
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

const Measured = z.object({ durationMs: z.number() });

function whoAndWhat(req: Request, res: Response, measured: unknown): object {
  const { authenticated, clientAddress, endpoint, workflowIds } = visitOf(req);
  return {
    method: req.method,
    route: endpoint?.path ?? null,
    path: req.originalUrl.replace(/\?.*$/s, '').slice(0, LONGEST_PATH),
    status: res.statusCode,
    ...Measured.safeParse(measured).data,
    clientAddress,
    ...(authenticated && { userId: authenticated.caller.id }),
    ...(workflowIds.size > 0 && { workflowId: [...workflowIds] }),
    ...(!res.writableFinished && { abandoned: true }),
  };
}

/** Type, message, place and cause. Database errors also hold the statement's values; those stay out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, type } = error as { code?: unknown; constraint?: unknown; type?: unknown };
  return {
    type: typeof type === 'string' ? `${error.name} ${type}` : error.name,
    message: error.message,
    stack: error.stack
      ?.match(/^ +at .*$/gm)
      ?.slice(0, STACK_LINES)
      .join('\n'),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
