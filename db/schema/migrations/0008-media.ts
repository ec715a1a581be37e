import type { QueryInterface } from 'sequelize';

/** Pictures and documents that everyone may see, and blobs that nobody needs any more. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE media (
      name text PRIMARY KEY CONSTRAINT media_name_check CHECK (name ~ '^[0-9a-f]{64}$'),
      content_type text NOT NULL CONSTRAINT media_content_type_check CHECK (content_type IN ('image/webp', 'application/pdf')),
      bytes integer NOT NULL CONSTRAINT media_bytes_check CHECK (bytes > 0),
      width integer CONSTRAINT media_width_check CHECK (width > 0),
      height integer CONSTRAINT media_height_check CHECK (height > 0),
      owner_id uuid CONSTRAINT media_owner_fkey REFERENCES users (id),
      purpose text NOT NULL CONSTRAINT media_purpose_check CHECK (purpose IN ('AVATAR', 'PRODUCT', 'STRATEGY')),
      created_at timestamptz NOT NULL,
      CONSTRAINT media_avatar_check CHECK (purpose <> 'AVATAR' OR owner_id IS NOT NULL),
      CONSTRAINT media_picture_check
        CHECK (num_nulls(width, height) = CASE content_type WHEN 'image/webp' THEN 0 ELSE 2 END)
    );
    -- Two sizes of one picture, and no third: of two uploads at once one replaces the other.
    CREATE UNIQUE INDEX media_avatar_key ON media (owner_id, width) WHERE purpose = 'AVATAR';

    CREATE TABLE discarded_blobs (
      name text PRIMARY KEY,
      discarded_at timestamptz NOT NULL
    );
    CREATE INDEX discarded_blobs_discarded_idx ON discarded_blobs (discarded_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE discarded_blobs, media;
  `);
}
