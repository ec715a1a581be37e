import type { QueryInterface } from 'sequelize';

/** When a session was last confirmed; codes that confirm one; tokens that undo what a mail told of. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;

    ALTER TABLE sent_codes
      DROP CONSTRAINT sent_codes_purpose_check,
      ADD CONSTRAINT sent_codes_purpose_check
        CHECK (purpose IN ('LOGIN', 'SETUP', 'DISABLE', 'PHONE', 'CONFIRM'));

    ALTER TABLE mailed_tokens
      ADD COLUMN undo_sealed bytea,
      DROP CONSTRAINT mailed_tokens_purpose_check,
      ADD CONSTRAINT mailed_tokens_purpose_check CHECK (purpose IN
        ('VERIFY_EMAIL', 'RESET_PASSWORD', 'UNDO_TWO_FACTOR_ON', 'UNDO_TWO_FACTOR_OFF', 'UNDO_DELETION')),
      ADD CONSTRAINT mailed_tokens_undo_check CHECK (undo_sealed IS NULL
        OR (purpose = 'UNDO_TWO_FACTOR_OFF' AND used_at IS NULL AND superseded_at IS NULL));
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DELETE FROM mailed_tokens WHERE purpose LIKE 'UNDO_%';
    ALTER TABLE mailed_tokens
      DROP CONSTRAINT mailed_tokens_undo_check,
      DROP COLUMN undo_sealed,
      DROP CONSTRAINT mailed_tokens_purpose_check,
      ADD CONSTRAINT mailed_tokens_purpose_check CHECK (purpose IN ('VERIFY_EMAIL', 'RESET_PASSWORD'));

    DELETE FROM sent_codes WHERE purpose = 'CONFIRM';
    ALTER TABLE sent_codes
      DROP CONSTRAINT sent_codes_purpose_check,
      ADD CONSTRAINT sent_codes_purpose_check CHECK (purpose IN ('LOGIN', 'SETUP', 'DISABLE', 'PHONE'));

    ALTER TABLE sessions DROP COLUMN confirmed_at;
  `);
}
