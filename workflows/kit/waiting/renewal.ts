import { workflowInfo } from '@temporalio/workflow';
import { DAY_MS } from '../values/durations.rules';
import { Answers } from './answers';

/**
 * The longest life of one run of a process. It then continues as new, so that it never runs with code that is older, and its
 * history stays short; also while it waits for a person, and where nothing else is due.
 */
export const LONGEST_RUN_MS = 30 * DAY_MS;

/** The time at which this run continues as new at the latest; ISO 8601. */
export const renewalTime = (): string =>
  new Date(workflowInfo().runStartTime.getTime() + LONGEST_RUN_MS).toISOString();

/** True in a run that continues an earlier one of its process: what opens the process has happened, or was waited for. */
export const isContinued = (): boolean => workflowInfo().continuedFromExecutionRunId !== undefined;

/** The way in which a process continues as new. */
export interface Renewal {
  /** Continues as new with all that the next run cannot read from the database; throws always. */
  renew: () => Promise<never>;
  /** The answers to be given before. */
  answers: Answers;
}

/** The renewal of a process without updates of its own, or with those of these `answers`. */
export const renewalBy = (renew: () => Promise<never>, answers = new Answers()): Renewal => ({
  renew,
  answers,
});
