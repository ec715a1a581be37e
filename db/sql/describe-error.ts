/** Lines of a stack that are logged: those next to the fault. */
const STACK_LINES = 8;

/**
 * The loggable part of an error: type, message, place and cause. Other fields stay out, since errors of the database
 * hold the statement and its values.
 */
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
