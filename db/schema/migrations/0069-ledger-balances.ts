import type { QueryInterface } from 'sequelize';

/** The trigger of an entry with the statements that bring it to its balance, and leave that in `balance`. */
const applying = (statements: string): string => `
  CREATE OR REPLACE FUNCTION ledger_apply_entry() RETURNS trigger LANGUAGE plpgsql AS $body$
  DECLARE
    balance bigint;
  BEGIN
    ${statements}
    IF balance < 0 AND NEW.amount_minor < 0
       AND NOT (SELECT clawback FROM ledger_transfers WHERE id = NEW.transfer_id) THEN
      RAISE EXCEPTION 'balance of % would be negative', NEW.account
        USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balances_not_negative', TABLE = 'ledger_balances';
    END IF;
    RETURN NULL;
  END $body$`;

const ADD_BALANCE = `INSERT INTO ledger_balances (user_id, account, currency, balance_minor, updated_at)
      VALUES (NEW.user_id, NEW.account, NEW.currency, 0, NEW.created_at)
      ON CONFLICT DO NOTHING;`;

const APPLY = `UPDATE ledger_balances
      SET balance_minor = balance_minor + NEW.amount_minor, updated_at = NEW.created_at
      WHERE user_id = NEW.user_id AND account = NEW.account AND currency = NEW.currency
      RETURNING balance_minor INTO balance;`;

/** A balance is made only for the first entry of its account: nearly every entry finds one. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(
    applying(`${APPLY}
    IF NOT FOUND THEN
      ${ADD_BALANCE}
      ${APPLY}
    END IF;`),
  );
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(
    applying(`${ADD_BALANCE}
    ${APPLY}`),
  );
}
