import type { QueryInterface } from 'sequelize';

/** Visitors whom a partner's link brought, and whom they became. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE referral_touches (
      id uuid PRIMARY KEY,
      visitor text NOT NULL,
      partner_id uuid NOT NULL CONSTRAINT referral_touches_partner_fkey REFERENCES partners (id),
      partner_code text NOT NULL,
      first_partner_code text NOT NULL,
      first_touch_at timestamptz NOT NULL,
      last_touch_at timestamptz NOT NULL,
      first_utm_source text,
      first_utm_medium text,
      first_utm_campaign text,
      last_utm_source text,
      last_utm_medium text,
      last_utm_campaign text,
      landing_page text NOT NULL,
      ip_address text,
      user_agent text,
      converted_user_id uuid
        CONSTRAINT referral_touches_converted_user_key UNIQUE
        CONSTRAINT referral_touches_converted_user_fkey REFERENCES users (id) ON DELETE SET NULL,
      converted_at timestamptz,
      CONSTRAINT referral_touches_order_check CHECK (first_touch_at <= last_touch_at),
      CONSTRAINT referral_touches_converted_check CHECK (converted_at IS NOT NULL OR converted_user_id IS NULL)
    );
    CREATE UNIQUE INDEX referral_touches_visitor_key ON referral_touches (visitor) WHERE converted_at IS NULL;
    CREATE INDEX referral_touches_partner_idx ON referral_touches (partner_id, first_touch_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('DROP TABLE referral_touches');
}
