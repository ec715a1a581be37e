import { Gate } from '../../http/limits/gate';

/** Opening a document holds it in memory twice, so only a few are opened at once. */
export const openingGate = new Gate({ slots: 4, queueLength: 64, deadlineMs: 10_000 });
