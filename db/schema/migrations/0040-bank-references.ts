import type { QueryInterface } from 'sequelize';

/**
 * To a bank, `BANK-7`, `bank-7` and `BANK 7` are one reference: each now stands for one transfer and one settled refund.
 * Fails, with the rows named, where one was entered twice: a person has to find out what really happened to the money.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DO $check$
    DECLARE twice text;
    BEGIN
      SELECT string_agg(entry, '; ' ORDER BY entry) INTO twice FROM (
        SELECT 'payment_captures: ' || string_agg(provider_payment_id || ' (' || id || ')', ', ' ORDER BY id) AS entry
        FROM payment_captures WHERE provider = 'bank'
        GROUP BY upper(regexp_replace(provider_payment_id, '[\\s\\u00a0\\u202f]', '', 'g')) HAVING count(*) > 1
        UNION ALL
        SELECT 'payment_refunds: ' || string_agg(settlement_reference || ' (' || id || ')', ', ' ORDER BY id)
        FROM payment_refunds WHERE settlement_reference IS NOT NULL
        GROUP BY upper(regexp_replace(settlement_reference, '[\\s\\u00a0\\u202f]', '', 'g')) HAVING count(*) > 1
        LIMIT 20
      ) AS entries;
      IF twice IS NOT NULL THEN
        RAISE EXCEPTION 'These rows have the same bank reference, written differently: %', twice
          USING HINT = 'Compare them with the statement of the bank account and give the wrong one another reference.';
      END IF;
    END $check$;

    CREATE UNIQUE INDEX payment_captures_bank_reference_key ON payment_captures
      (upper(regexp_replace(provider_payment_id, '[\\s\\u00a0\\u202f]', '', 'g'))) WHERE provider = 'bank';

    ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_settlement_reference_key;
    CREATE UNIQUE INDEX payment_refunds_settlement_reference_key ON payment_refunds
      (upper(regexp_replace(settlement_reference, '[\\s\\u00a0\\u202f]', '', 'g')));
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX payment_captures_bank_reference_key, payment_refunds_settlement_reference_key;
    ALTER TABLE payment_refunds
      ADD CONSTRAINT payment_refunds_settlement_reference_key UNIQUE (settlement_reference);
  `);
}
