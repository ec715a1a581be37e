/**
 * Every row of a statement at once: what one statement inserts has to sum to zero in each transfer and currency, and changes each
 * balance once. Missing balances are inserted and all of them locked in the order of their keys, so that transfers that cross
 * queue. Not by ON CONFLICT DO UPDATE: PostgreSQL would check the inserted row, and refuse a debit that the balance covers.
 *
 * A balance below zero is refused if anything but a clawback took from it: clawbacks count after all others. The joins are
 * nested loops over indexes, since the plan made for a large statement would read all balances for a small one.
 */
export const APPLY_BALANCES = `CREATE FUNCTION ledger_apply_balances() RETURNS trigger LANGUAGE plpgsql
      SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $body$
    DECLARE
      refused text;
    BEGIN
      SELECT transfer_id INTO refused FROM inserted GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0 LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'transfer % does not sum to zero', refused
          USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transfers_balanced', TABLE = 'ledger_entries';
      END IF;
      INSERT INTO ledger_balances (user_id, account, currency, balance_minor, updated_at)
        SELECT i.user_id, i.account, i.currency, 0, max(i.created_at) FROM inserted i
         WHERE i.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_balances b
           WHERE b.user_id = i.user_id AND b.account = i.account AND b.currency = i.currency)
         GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT DO NOTHING;
      PERFORM FROM (SELECT DISTINCT user_id, account, currency FROM inserted WHERE user_id IS NOT NULL) i
        JOIN ledger_balances b USING (user_id, account, currency)
        ORDER BY user_id, account, currency FOR NO KEY UPDATE OF b;
      WITH changed AS (
        UPDATE ledger_balances b SET balance_minor = b.balance_minor + i.minor, updated_at = i.at
          FROM (SELECT user_id, account, currency, sum(amount_minor) AS minor, max(created_at) AS at FROM inserted
                 WHERE user_id IS NOT NULL GROUP BY 1, 2, 3) i
         WHERE b.user_id = i.user_id AND b.account = i.account AND b.currency = i.currency
        RETURNING b.user_id, b.account, b.currency, b.balance_minor
      )
      SELECT c.account INTO refused FROM changed c CROSS JOIN LATERAL (
        SELECT bool_or(NOT t.clawback) AS is_spent, sum(i.amount_minor) FILTER (WHERE t.clawback) AS clawed_back
          FROM inserted i JOIN ledger_transfers t ON t.id = i.transfer_id
         WHERE i.amount_minor < 0 AND i.user_id = c.user_id AND i.account = c.account AND i.currency = c.currency
      ) AS taken
       WHERE c.balance_minor < 0 AND taken.is_spent AND c.balance_minor < coalesce(taken.clawed_back, 0) LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'balance of % would be negative', refused
          USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balances_not_negative', TABLE = 'ledger_balances';
      END IF;
      RETURN NULL;
    END $body$;
    CREATE TRIGGER ledger_entries_1_balances AFTER INSERT ON ledger_entries
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_balances();`;

/** A hold is of one person and currency, and is released in part or whole, never beyond it. Its trigger is the second, by its name. */
export const APPLY_HOLDS = `CREATE FUNCTION ledger_apply_holds() RETURNS trigger LANGUAGE plpgsql
      SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $body$
    DECLARE
      changed bigint;
    BEGIN
      IF NOT EXISTS (SELECT FROM inserted WHERE hold_id IS NOT NULL) THEN RETURN NULL; END IF;
      INSERT INTO ledger_holds (hold_id, user_id, currency, balance_minor)
        SELECT DISTINCT ON (i.hold_id) i.hold_id, i.user_id, i.currency, 0 FROM inserted i
         WHERE i.hold_id IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_holds h WHERE h.hold_id = i.hold_id) ORDER BY 1
        ON CONFLICT DO NOTHING;
      PERFORM FROM (SELECT DISTINCT hold_id FROM inserted WHERE hold_id IS NOT NULL) i JOIN ledger_holds h USING (hold_id)
        ORDER BY hold_id FOR NO KEY UPDATE OF h;
      UPDATE ledger_holds h SET balance_minor = h.balance_minor + i.minor
        FROM (SELECT hold_id, user_id, currency, sum(amount_minor) AS minor FROM inserted
               WHERE hold_id IS NOT NULL GROUP BY 1, 2, 3) i
       WHERE h.hold_id = i.hold_id AND h.user_id = i.user_id AND h.currency = i.currency;
      GET DIAGNOSTICS changed = ROW_COUNT;
      IF changed <> (SELECT count(DISTINCT (hold_id, user_id, currency)) FROM inserted WHERE hold_id IS NOT NULL) THEN
        RAISE EXCEPTION 'a hold is of one person and currency'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_holds_of_one', TABLE = 'ledger_holds';
      END IF;
      RETURN NULL;
    END $body$;
    CREATE TRIGGER ledger_entries_2_holds AFTER INSERT ON ledger_entries
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_holds();`;
