import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/worker';
import pino, { type Logger } from 'pino';

/** The worker's log: JSON lines, with the ids of the process and activity that a line is about. */
export const createLog = (level: string): Logger => pino({ level, base: { part: 'worker' } });

/** Temporal says (message, facts), pino (facts, message); a task token is of no use to a reader. */
export function temporalLogger(log: Logger): TemporalLogger {
  const say = (
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error',
    message: string,
    facts?: LogMetadata,
  ): void => {
    const { taskToken: _token, ...rest } = facts ?? {};
    log[level](rest, message);
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
