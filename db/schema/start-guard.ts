import { setTimeout as pause } from 'node:timers/promises';

/** What a program must not start with, in words for the operator. */
export class StartRefused extends Error {}

/** As much of a log as is needed. */
interface WarningLog {
  warn: (facts: object, message: string) => void;
}

/** Something that has to hold before a program starts; rejects with StartRefused where it does not. */
interface StartCheck {
  check: () => Promise<void>;
  /** What the log says while it cannot be found out. */
  unknown: string;
}

const RETRY_MS = 5_000;

/**
 * Rejects with StartRefused if that is known at once. A database that cannot be asked yet is asked again until it
 * answers, and `fail` is told.
 */
export async function guardStart(
  { check, unknown }: StartCheck,
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
