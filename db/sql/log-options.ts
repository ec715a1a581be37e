import pino, { type LoggerOptions } from 'pino';
import { describeError } from './describe-error';

/**
 * The log format of every program: one JSON object a line, `time` in ISO 8601, `level` as a word, `part` for the
 * program, `err` for an error without the values of its statement.
 */
export const logOptions = (part: 'api' | 'worker' | 'admins', level: string): LoggerOptions => ({
  level,
  base: { part },
  serializers: { err: describeError },
  formatters: { level: (level) => ({ level }) },
  timestamp: pino.stdTimeFunctions.isoTime,
});
