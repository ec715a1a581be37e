import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/worker';
import pino, { type DestinationStream, type Logger } from 'pino';
import { logOptions } from '../../db/sql/log-options';

/** The worker's log: JSON lines, with the ids of the process, activity and request that a line is about. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = logOptions('worker', level);
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Temporal says (message, facts), pino (facts, message). A task token is of no use to a reader; an error is described,
 * never written out, since it may hold the values of a statement; one thing has one name in all lines.
 */
export function temporalLogger(log: Logger): TemporalLogger {
  const say = (
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error',
    message: string,
    facts?: LogMetadata,
  ): void => {
    log[level](factsOf(facts ?? {}), message);
  };
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  return {
    log: (level: LogLevel, message, facts) => say(levels[level], message, facts),
    trace: (message, facts) => say('trace', message, facts),
    debug: (message, facts) => say('debug', message, facts),
    info: (message, facts) => say('info', message, facts),
    warn: (message, facts) => say('warn', message, facts),
    error: (message, facts) => say('error', message, facts),
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
