import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/worker';
import pino, { type DestinationStream, type Logger } from 'pino';
import { logOptions } from '../../db/sql/log-options';

/** The worker's log: JSON lines with the ids of the process, activity and request. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = logOptions('worker', level);
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Adapts pino to the SDK's logger. Drops the task token, gives fields the names that our other lines use, and logs a
 * description of an error only, because its properties may hold the values of a statement.
 */
export function temporalLogger(log: Logger): TemporalLogger {
  const write = (
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error',
    message: string,
    facts?: LogMetadata,
  ): void => {
    log[level](factsOf(facts ?? {}), message);
  };
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  return {
    log: (level: LogLevel, message, facts) => write(levels[level], message, facts),
    trace: (message, facts) => write('trace', message, facts),
    debug: (message, facts) => write('debug', message, facts),
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
    error: (message, facts) => write('error', message, facts),
  };
}

function factsOf(facts: Readonly<Record<string, unknown>>): object {
  const {
    taskToken: _token,
    span_id: _span,
    trace_flags: _flags,
    error,
    trace_id,
    workflowRunId,
    ...rest
  } = facts;
  return {
    ...(trace_id !== undefined && { traceId: trace_id }),
    ...(workflowRunId !== undefined && { runId: workflowRunId }),
    ...rest,
    ...(error !== undefined && { err: error }),
  };
}
