/** The state of a transfer that a bank file may still carry out. */
export type LiveTransfer = 'COLLECTED' | 'IN_FILE';

/** The SQL of that state, for the row `of` of a payout or a withdrawal; null unless it is PROCESSING and has such a transfer. */
export const liveTransfer = (of: string): string => `CASE WHEN ${of}.status = 'PROCESSING' THEN (
    SELECT t.status FROM bank_file_transfers t WHERE t.status IN ('COLLECTED', 'IN_FILE')
      AND t.key = ${of}.id || ':' || ${of}.sendings) END`;
