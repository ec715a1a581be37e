import type { QueryInterface } from 'sequelize';

/** A telephone number is one account's when it was proven; naming one keeps nobody else from proving it. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE UNIQUE INDEX users_region_proven_phone_key ON users (region, phone) WHERE phone_verified_at IS NOT NULL;
    CREATE INDEX users_region_phone_idx ON users (region, phone);
    DROP INDEX users_region_phone_key;
  `);
}

/** Of several accounts that name a number, one keeps it: the one that has proven it, else the oldest. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    UPDATE users SET phone = NULL FROM (
      SELECT id, row_number() OVER
        (PARTITION BY region, phone ORDER BY phone_verified_at IS NULL, created_at, id) AS place
        FROM users WHERE phone IS NOT NULL) AS named
      WHERE named.id = users.id AND place > 1;
    CREATE UNIQUE INDEX users_region_phone_key ON users (region, phone);
    DROP INDEX users_region_phone_idx;
    DROP INDEX users_region_proven_phone_key;
  `);
}
