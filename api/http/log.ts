import pino, { type DestinationStream, type Logger, type LevelWithSilent, type LoggerOptions } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { Request, Response } from 'express';
import { visitOf } from './visit';

/** Of a stack, what stands close to the fault. */
const STACK_LINES = 8;

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
    wrapSerializers: false,
    customAttributeKeys: { reqId: 'requestId', responseTime: 'durationMs' },
    customLogLevel: (_req, res, error) => ((error ?? res.err ?? res.statusCode >= 500) ? 'error' : 'info'),
    serializers: {
      req: () => undefined,
      res: () => undefined,
      err: describeError,
    },
    customProps: whoAndWhat,
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered with an error',
  });
}

function whoAndWhat(req: Request, res: Response): object {
  const { authenticated, clientAddress, endpoint, workflowIds } = visitOf(req);
  return {
    method: req.method,
    route: endpoint?.path ?? null,
    path: req.originalUrl.replace(/\?.*$/s, '').slice(0, 300),
    status: res.statusCode,
    clientAddress,
    ...(authenticated && { userId: authenticated.caller.id }),
    ...(workflowIds.size > 0 && { workflowId: [...workflowIds] }),
  };
}

/** Type, message, place and cause. Database errors also hold the statement's values; those stay out. */
export function describeError(error: unknown): object {
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
