let factor = 1;

/**
 * Multiplies every `stretched` limit from now on. Only tests call it: a machine that is busy with other work must not
 * decide them. A test of a limit sets 1.
 */
export function stretchLimits(by: number): void {
  factor = by;
}

/** A limit of time, in milliseconds, that a healthy machine does not reach. */
export const stretched = (limitMs: number): number => limitMs * factor;
