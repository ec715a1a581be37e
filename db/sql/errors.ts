import { BaseError, ConnectionError } from 'sequelize';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** SQLSTATE classes and codes of temporary failures: connection lost, too many connections, shutdown, time-out, lock. */
const UNAVAILABLE = /^(08|53|55P03|57014|57P0|25P03)/;
/** Messages of the driver for the same failures, where the server did not answer. */
const LOST = /Connection terminated|not queryable|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT/;

interface PostgresError {
  code?: string;
  constraint?: string;
}

/** PostgreSQL's own error inside the ORM's; null when the server did not report one. */
function postgresError(error: unknown): PostgresError | null {
  for (
    let at: unknown = error;
    at instanceof Error;
    at = at.cause ?? ('parent' in at ? at.parent : undefined)
  ) {
    if ('severity' in at) return at as PostgresError;
  }
  return null;
}

/** The SQLSTATE of a failed statement; null where the server did not report one. */
export const sqlStateOf = (error: unknown): string | null => postgresError(error)?.code ?? null;

/** Tells whether a write was refused by the constraint of this name. */
export function violates(error: unknown, constraint: string): boolean {
  return postgresError(error)?.constraint === constraint;
}

/** Tells whether a transaction failed by a deadlock or a serialisation failure and can be run again. */
export function isContention(error: unknown): boolean {
  const code = postgresError(error)?.code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Tells whether the database is unreachable or refuses all work, as against refusing this statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const code = postgresError(error)?.code;
  if (code !== undefined) return UNAVAILABLE.test(code);
  return error instanceof BaseError && LOST.test(error.message);
}
