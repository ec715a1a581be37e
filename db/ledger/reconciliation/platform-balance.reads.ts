/** The entry that all checkpoints reach; 0 before the first. Every entry up to it is committed. */
export const CHECKPOINT_ENTRY = '(SELECT coalesce(max(entry_id), 0) FROM ledger_checkpoints)';

/**
 * The balances of the platform's accounts whose names begin with a word, as a relation (account, currency, minor): the last
 * checkpoint and the entries after it, so that the time does not grow with the ledger. `prefix`: an SQL text that no account
 * of a person begins with.
 */
export const platformBalances = (prefix: string): string => `
  SELECT account, currency, sum(minor)::bigint AS minor FROM (
    SELECT account, currency, balance_minor AS minor FROM ledger_checkpoints WHERE account ^@ ${prefix}
    UNION ALL SELECT account, currency, amount_minor FROM ledger_entries
     WHERE id > ${CHECKPOINT_ENTRY} AND account ^@ ${prefix}) AS moved
  GROUP BY account, currency`;
