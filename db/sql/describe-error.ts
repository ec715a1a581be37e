/** Of a stack, what stands close to the fault. */
const STACK_LINES = 8;

/**
 * What a log line may say of an error: type, message, place and cause. Errors of the database also hold the statement
 * and its values, and others hold whatever they were given; those stay out.
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
