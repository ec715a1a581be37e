import type { QueryInterface } from 'sequelize';

/** Reviews that buyers write of products, and who found them helpful. A product's `ratings` count what is published. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE reviews (
      id uuid PRIMARY KEY,
      product_id uuid NOT NULL CONSTRAINT reviews_product_fkey REFERENCES products (id),
      user_id uuid NOT NULL CONSTRAINT reviews_user_fkey REFERENCES users (id),
      rating integer NOT NULL CONSTRAINT reviews_rating_check CHECK (rating BETWEEN 1 AND 5),
      title text,
      content text NOT NULL,
      pros text[] NOT NULL DEFAULT '{}',
      cons text[] NOT NULL DEFAULT '{}',
      status text NOT NULL CONSTRAINT reviews_status_check CHECK (status IN ('PENDING', 'PUBLISHED', 'REJECTED')),
      helpful_count integer NOT NULL DEFAULT 0 CONSTRAINT reviews_helpful_count_check CHECK (helpful_count >= 0),
      response text,
      responded_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz,
      CONSTRAINT reviews_one_per_buyer_key UNIQUE (product_id, user_id),
      CONSTRAINT reviews_response_check CHECK ((response IS NULL) = (responded_at IS NULL))
    );
    CREATE INDEX reviews_product_created_idx ON reviews (product_id, created_at, id) WHERE status = 'PUBLISHED';
    CREATE INDEX reviews_product_helpful_idx ON reviews (product_id, helpful_count, id) WHERE status = 'PUBLISHED';
    CREATE INDEX reviews_product_rating_idx ON reviews (product_id, rating, id) WHERE status = 'PUBLISHED';
    CREATE INDEX reviews_created_idx ON reviews (created_at, id);
    CREATE INDEX reviews_status_idx ON reviews (status, created_at, id);
    CREATE INDEX reviews_search_idx ON reviews USING gin (search_key(coalesce(title, '') || E'\\n' || content) gin_trgm_ops);
    CREATE INDEX reviews_user_idx ON reviews (user_id);

    CREATE TABLE review_votes (
      review_id uuid NOT NULL CONSTRAINT review_votes_review_fkey REFERENCES reviews (id) ON DELETE CASCADE,
      user_id uuid NOT NULL CONSTRAINT review_votes_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      CONSTRAINT review_votes_pkey PRIMARY KEY (review_id, user_id)
    );
    CREATE INDEX review_votes_user_idx ON review_votes (user_id);

    -- Words, or several in a row, that let a review wait for a person. Operators add and take away as they like.
    CREATE TABLE blocked_words (
      word text CONSTRAINT blocked_words_pkey PRIMARY KEY
        CONSTRAINT blocked_words_word_check CHECK (word = lower(word) AND word ~ '\\S')
    );
    INSERT INTO blocked_words (word) VALUES ('asshole'), ('bastard'), ('bitch'), ('casino'), ('cunt'), ('fuck'),
      ('fucking'), ('nazi'), ('porn'), ('promo code'), ('shit'), ('telegram'), ('viagra'), ('whatsapp'), ('whore');
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE blocked_words, review_votes, reviews;
  `);
}
