import type { QueryInterface } from 'sequelize';
import { COMPARISONS, TABLES } from './tables';
import { APPLY_BALANCES, APPLY_HOLDS } from './triggers';

/**
 * Double entry: immutable balanced transfers, and the running balance of every user account, which the database adds
 * up.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ${TABLES}

    ${APPLY_BALANCES}

    ${APPLY_HOLDS}

    CREATE FUNCTION ledger_refuse_empty() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM ledger_entries WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'transfer % has no entries', NEW.id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transfers_not_empty', TABLE = 'ledger_transfers';
      END IF;
      RETURN NULL;
    END $body$;
    CREATE CONSTRAINT TRIGGER ledger_transfers_not_empty AFTER INSERT ON ledger_transfers
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_refuse_empty();

    CREATE TRIGGER ledger_transfers_no_change BEFORE UPDATE OR DELETE ON ledger_transfers
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER ledger_entries_no_change BEFORE UPDATE OR DELETE ON ledger_entries
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER ledger_transfers_no_truncate BEFORE TRUNCATE ON ledger_transfers
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    ${COMPARISONS}
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP VIEW platform_balances;
    DROP TABLE ledger_reconciliations, ledger_checkpoints, ledger_drifts, ledger_holds, ledger_balances, ledger_entries,
      ledger_transfers;
    DROP FUNCTION ledger_apply_balances(), ledger_apply_holds(), ledger_refuse_empty();
  `);
}
