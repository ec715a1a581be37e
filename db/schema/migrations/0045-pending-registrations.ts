import type { QueryInterface } from 'sequelize';

/** Plain names for the rows that wait for a registration or a password reset. Grants stay with a renamed table. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE registration_wishes RENAME TO pending_registrations;
    ALTER INDEX registration_wishes_pkey RENAME TO pending_registrations_pkey;
    ALTER INDEX registration_wishes_created_idx RENAME TO pending_registrations_created_idx;

    ALTER TABLE reset_wishes RENAME TO password_reset_requests;
    ALTER INDEX reset_wishes_pkey RENAME TO password_reset_requests_pkey;
    ALTER INDEX reset_wishes_created_idx RENAME TO password_reset_requests_created_idx;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE pending_registrations RENAME TO registration_wishes;
    ALTER INDEX pending_registrations_pkey RENAME TO registration_wishes_pkey;
    ALTER INDEX pending_registrations_created_idx RENAME TO registration_wishes_created_idx;

    ALTER TABLE password_reset_requests RENAME TO reset_wishes;
    ALTER INDEX password_reset_requests_pkey RENAME TO reset_wishes_pkey;
    ALTER INDEX password_reset_requests_created_idx RENAME TO reset_wishes_created_idx;
  `);
}
