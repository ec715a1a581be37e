/**
 * SQL for the text of a PROCESSED report of `webhook_events`, as jsonb; null of any other. Null also where PostgreSQL's jsonb
 * cannot hold it, though it is JSON: a character NUL, or half of a pair of surrogates. Such a report is not compared.
 */
export const READ_BODY = `(CASE WHEN status = 'PROCESSED' AND pg_input_is_valid(body, 'jsonb') THEN body::jsonb END)`;
