import { Gate } from '../../http/limits/gate';

/** Limits the answers that sum up all commissions of a partner, or every ledger entry of a time. */
export const sumsGate = new Gate({ slots: 4, queueLength: 50, deadlineMs: 5_000 });
