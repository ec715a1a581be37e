import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '../sql/environment/variables';

/** The refusal of a program to start; its message is for the operator. */
export class StartRefused extends ConfigurationError {}

interface WarningLog {
  warn: (facts: object, message: string) => void;
}

/** A condition of a program's start; `check` rejects with StartRefused where it does not hold. */
interface StartCheck {
  check: () => Promise<void>;
  /** Logged while the check cannot be made. */
  unknownMessage: string;
}

const RETRY_MS = 5_000;

/**
 * Rejects with StartRefused if the check fails at once. While the database is unreachable the check is repeated in the
 * background, and a later failure is passed to `fail`.
 */
export async function guardStart(
  { check, unknownMessage: unknown }: StartCheck,
  log: WarningLog,
  fail: (error: unknown) => void,
  retryMs = RETRY_MS,
): Promise<void> {
  const isChecked = async (): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      log.warn({ err: error }, unknown);
      return false;
    }
  };
  if (await isChecked()) return;
  const untilChecked = async (): Promise<void> => {
    do await pause(retryMs, undefined, { ref: false });
    while (!(await isChecked()));
  };
  untilChecked().catch(fail);
}
