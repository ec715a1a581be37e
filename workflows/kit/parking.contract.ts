import { defineUpdate } from '@temporalio/workflow';

/** An operator's decision on a parked process. */
export interface OperatorDecision {
  /** The kept note that says who decided, from where; null when the decision came by Temporal's own tools. */
  noteId: string | null;
}

/** Try the step again that failed. Refused (NOT_PARKED) unless the process waits for a person. */
export const retryStep = defineUpdate<null, [OperatorDecision]>('retry');

/** Give the step up: the process takes its way out. Refused (NOT_PARKED) unless the process waits for a person. */
export const abandonStep = defineUpdate<null, [OperatorDecision]>('abandon');

/** A process that waits for a person, as the operators' list shows it. */
export interface ParkedProcess {
  workflowId: string;
  type: string;
  entityId: string;
  /** What it was doing and what an operator can do about it. */
  reason: string;
  lastError: string;
  /** ISO 8601. */
  since: string;
}

/** What ended the wait: an operator's decision, for the audit trail, or something else that settled the matter. */
export interface ParkingDecision extends OperatorDecision {
  workflowId: string;
  decision: 'retry' | 'abandon' | 'settled';
  /** ISO 8601. */
  at: string;
}

export interface ParkingActivities {
  /** Puts the process on the operators' list. Again: refreshes its entry. */
  park: (parked: ParkedProcess) => Promise<void>;
  /** Takes it off the list and writes an operator's decision into the audit trail. Not there: nothing. */
  unpark: (decided: ParkingDecision) => Promise<void>;
}
