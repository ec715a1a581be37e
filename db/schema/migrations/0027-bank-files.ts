import { QueryTypes, type QueryInterface } from 'sequelize';

/** Transfers that a bank gets in a file, and the files. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE bank_files (
      id uuid PRIMARY KEY,
      transfer_count int NOT NULL CONSTRAINT bank_files_count_check CHECK (transfer_count > 0),
      amount_minor bigint NOT NULL CONSTRAINT bank_files_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL CONSTRAINT bank_files_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      -- The whole file, sealed: it holds destinations. Null once it is forgotten.
      content bytea,
      made_by uuid NOT NULL CONSTRAINT bank_files_made_by_fkey REFERENCES users (id),
      made_at timestamptz NOT NULL,
      reported_at timestamptz,
      -- For the reference of its transfers, which are of its currency.
      CONSTRAINT bank_files_currency_key UNIQUE (id, currency)
    );
    CREATE INDEX bank_files_made_idx ON bank_files (made_at DESC, id DESC);
    CREATE INDEX bank_files_made_by_idx ON bank_files (made_by);

    CREATE TABLE bank_file_transfers (
      id uuid PRIMARY KEY,
      key text NOT NULL CONSTRAINT bank_file_transfers_key_key UNIQUE
        CONSTRAINT bank_file_transfers_key_check CHECK (length(key) BETWEEN 1 AND 100),
      -- The id of the payout or the withdrawal that it is of: the key without the number of the attempt.
      subject_id uuid GENERATED ALWAYS AS (
        CASE WHEN key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9]+$' THEN left(key, 36)::uuid END) STORED,
      -- The highest amount of the scheme is 999,999,999.99. It holds in every currency, so that sums of files stay exact.
      amount_minor bigint NOT NULL CONSTRAINT bank_file_transfers_amount_check
        CHECK (amount_minor BETWEEN 1 AND 99999999999),
      currency text NOT NULL CONSTRAINT bank_file_transfers_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      -- Sealed. Null once it is forgotten.
      destination bytea,
      status text NOT NULL CONSTRAINT bank_file_transfers_status_check
        CHECK (status IN ('COLLECTED', 'IN_FILE', 'ARRIVED', 'REFUSED')),
      file_id uuid,
      refused_because text,
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      -- A file has one currency.
      CONSTRAINT bank_file_transfers_file_id_fkey FOREIGN KEY (file_id, currency) REFERENCES bank_files (id, currency),
      CONSTRAINT bank_file_transfers_file_check CHECK (
        CASE status WHEN 'COLLECTED' THEN file_id IS NULL WHEN 'REFUSED' THEN true ELSE file_id IS NOT NULL END),
      CONSTRAINT bank_file_transfers_destination_check CHECK (destination IS NOT NULL OR ended_at IS NOT NULL),
      CONSTRAINT bank_file_transfers_refused_check CHECK ((status = 'REFUSED') = (refused_because IS NOT NULL)),
      CONSTRAINT bank_file_transfers_ended_check CHECK ((status IN ('ARRIVED', 'REFUSED')) = (ended_at IS NOT NULL))
    );
    CREATE INDEX bank_file_transfers_collected_idx ON bank_file_transfers (currency, id) WHERE status = 'COLLECTED';
    CREATE INDEX bank_file_transfers_unreported_idx ON bank_file_transfers (file_id) WHERE status = 'IN_FILE';
    CREATE INDEX bank_file_transfers_subject_idx ON bank_file_transfers (subject_id);
    CREATE INDEX bank_file_transfers_file_idx ON bank_file_transfers (file_id, id) WHERE file_id IS NOT NULL;

    -- A transfer that was in a file stays in it, and one that has ended stays as it ended: a bank may carry out what a
    -- file says at any time, so a second file would be a second payment.
    CREATE FUNCTION bank_file_transfers_keep() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.file_id IS NOT NULL AND NEW.file_id IS DISTINCT FROM OLD.file_id THEN
        RAISE EXCEPTION 'transfer % is in file % already', OLD.id, OLD.file_id USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      IF OLD.ended_at IS NOT NULL AND NEW.status <> OLD.status THEN
        RAISE EXCEPTION 'transfer % has ended: %', OLD.id, OLD.status USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER bank_file_transfers_keep BEFORE UPDATE ON bank_file_transfers
      FOR EACH ROW EXECUTE FUNCTION bank_file_transfers_keep();

    -- A late request must not collect what a person has meanwhile sent. The lock is the one that settling by hand takes: who
    -- commits first is seen by the other.
    CREATE FUNCTION bank_file_transfers_collect() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE standing text;
      live text;
    BEGIN
      SELECT status || ' ' || coalesce(provider, 'none'), id || ':' || sendings
        INTO standing, live FROM payouts WHERE id = NEW.subject_id FOR SHARE;
      IF standing IS NULL THEN
        SELECT status || ' ' || coalesce(provider, 'none'), id || ':' || sendings
          INTO standing, live FROM investment_withdrawals WHERE id = NEW.subject_id FOR SHARE;
      END IF;
      IF standing <> 'PROCESSING bank-file' THEN
        RAISE EXCEPTION '% is not to be sent by bank files: %', NEW.subject_id, standing
          USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      IF NEW.key <> live THEN
        RAISE EXCEPTION '% is sent by another attempt: %', NEW.key, live USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NULL;
    END $$;
    -- After the row, because generated columns are not known before.
    CREATE TRIGGER bank_file_transfers_collect AFTER INSERT ON bank_file_transfers
      FOR EACH ROW EXECUTE FUNCTION bank_file_transfers_collect();
  `);
}

/** Throws when transfers were collected for a bank: forgotten, they would be sent again, though a file may have sent them. */
export async function down(query: QueryInterface): Promise<void> {
  const collected = await query.sequelize.query('SELECT 1 FROM bank_file_transfers LIMIT 1', {
    type: QueryTypes.SELECT,
  });
  if (collected.length > 0)
    throw new Error('A bank may carry out what its files say: restore the backup from before the release.');
  await query.sequelize.query(`
    DROP TABLE bank_file_transfers, bank_files;
    DROP FUNCTION bank_file_transfers_keep(), bank_file_transfers_collect();
  `);
}
