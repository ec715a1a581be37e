import { ApplicationFailure } from '@temporalio/common';

/**
 * Fails for good after the time (ISO 8601) until which a command may take effect. No refusal, which the same request would
 * get for ever: its caller may send it again, and it is then a new command.
 */
export function requireInTime(notAfter: string | undefined): void {
  if (notAfter !== undefined && notAfter < new Date().toISOString())
    throw ApplicationFailure.nonRetryable('The command could not be carried out in time.', 'TooLate');
}
