import { Client } from 'pg';

/** What an answer about the catalogue depends on, and what a change makes untrue; the triggers write the same. */
export const catalogueTags = {
  /** Every answer depends on this one. */
  all: 'all',
  /** Stock, ratings and the like of one product. */
  product: (id: string): string => id,
  /** Which products are in stock at all. */
  availability: 'availability',
  /** What sells best. */
  sales: 'sales',
  salesIn: (categoryId: string): string => `sales:${categoryId}`,
};

/** Hears of committed changes of the catalogue, over a connection of its own. */
export interface CatalogueChannel {
  /**
   * Tags of all that was committed since the last call, or since the channel was opened. Rejects when the connection is
   * lost or does not answer; the channel is then of no more use.
   */
  news: () => Promise<readonly string[]>;
  close: () => Promise<void>;
}

const CHANNEL = 'catalogue';
/** So long an answer to a trivial statement may take before the connection counts as lost. */
const PATIENCE_MS = 2_000;

/**
 * The snapshot is the version: it sees exactly the transactions whose changes are known. Those it does not see are
 * found by the index, for none of them is older than its oldest running one.
 */
const NEWS = `
  SELECT pg_current_snapshot()::text AS version, ARRAY(
    SELECT DISTINCT unnest(c.tags) FROM catalogue_changes c
    WHERE c.transaction_id >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
      AND NOT pg_visible_in_snapshot(c.transaction_id::text::xid8, $1::pg_snapshot)) AS tags`;

/** Starts to listen. `announced` is called when there are news, `lost` once when the connection is gone. */
export async function openCatalogueChannel(
  url: string,
  { announced, lost }: { announced: () => void; lost: () => void },
): Promise<CatalogueChannel> {
  const client = new Client({
    connectionString: url,
    application_name: 'catalogue',
    keepAlive: true,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('notification', announced);
  client.on('error', () => undefined); // It is followed by `end`.
  client.once('end', lost);
  await client.connect();

  let version: string | null = null;
  const news = async (): Promise<readonly string[]> => {
    const { rows } = await client.query<{ version: string; tags: string[] }>({
      name: 'catalogue-news',
      text: NEWS,
      values: [version],
    });
    version = rows[0]?.version ?? version;
    return rows[0]?.tags ?? [];
  };
  try {
    // In this order: what is committed between the two is announced and is in the snapshot.
    await client.query(`LISTEN ${CHANNEL}`);
    await news();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  return { news, close: () => client.end() };
}
