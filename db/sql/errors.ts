import { BaseError, ConnectionError } from 'sequelize';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** SQLSTATE classes and codes that say «not now»: connection lost, too many connections, shutting down, timed out, locked. */
const AWAY = /^(08|53|55P03|57014|57P0|25P03)/;
/** The same in the words of the driver, when it was not the server that spoke. */
const LOST = /Connection terminated|not queryable|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT/;

interface PostgresError {
  code?: string;
  constraint?: string;
}

/** What PostgreSQL itself said, inside whatever the ORM made of it. */
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

/** Whether a write was refused by the constraint of this name. */
export function violates(error: unknown, constraint: string): boolean {
  return postgresError(error)?.constraint === constraint;
}

/** Whether two transactions stood in each other's way; running one again will do. */
export function isContention(error: unknown): boolean {
  const code = postgresError(error)?.code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** Whether the database could not be reached or is not taking work, as against refusing this piece of work. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const code = postgresError(error)?.code;
  if (code !== undefined) return AWAY.test(code);
  return error instanceof BaseError && LOST.test(error.message);
}
