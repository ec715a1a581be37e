import { type Sinks } from '@temporalio/workflow';
import { decision } from './decision';

/** An operator's decision about a parked process. */
export interface OperatorDecision {
  /** The note that names the operator and the client address; null if the decision came from Temporal's own tools. */
  noteId: string | null;
}

/** Tries the failed step again. Refused with NOT_PARKED unless the process waits for an operator. */
export const retryStep = decision<null, [OperatorDecision]>('retry', { ifClosed: 'NOT_PARKED' });

/** Abandons the failed step, so that the process takes its way out. Refused with NOT_PARKED like `retry`. */
export const abandonStep = decision<null, [OperatorDecision]>('abandon', { ifClosed: 'NOT_PARKED' });

/** A process that waits for an operator, as a row of the operators' list. */
export interface ParkedProcess {
  workflowId: string;
  type: string;
  entityId: string;
  /** The order and the account that it is about, if its process was started with them or has found them. */
  orderId?: string;
  userId?: string;
  /** Its summary. */
  label?: string;
  /** The failed step, or what is waited for, in plain words. */
  reason: string;
  lastError: string;
  /** ISO 8601. */
  since: string;
  /** True if an earlier run of the process may have waited for the same, and continued as new: then it waits since that. */
  isRenewed?: boolean;
}

/**
 * The end of the wait: an operator's decision, for the audit trail, `settled`, an event that made it unnecessary, or `renewed`:
 * the process continues as new, and tries again what it waits for.
 */
export interface ParkingDecision extends OperatorDecision {
  workflowId: string;
  decision: 'retry' | 'abandon' | 'settled' | 'renewed';
  /** True if a step is tried again: its entry stays on the list until the try has ended. */
  isStep?: boolean;
  /** ISO 8601. */
  at: string;
}

/**
 * Calls out of a process that leave no trace in its history. A worker carries them out before it completes the task, so
 * a task that is lost makes them again.
 */
export interface ParkingSinks extends Sinks {
  parking: {
    /** A step that was tried again has not failed again, by `at` (ISO 8601); `reason`: only if that was waited for. */
    retryEnded: (ended: { at: string; reason?: string }) => void;
  };
}

export interface ParkingActivities {
  /** Puts the process on the operators' list, or refreshes its entry. */
  park: (parked: ParkedProcess) => Promise<void>;
  /**
   * Takes the process off the list, or marks its entry as being tried again, and records an operator's decision in the
   * audit trail. Does nothing without an entry.
   */
  unpark: (decided: ParkingDecision) => Promise<void>;
}
