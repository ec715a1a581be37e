import type { Attributes } from 'sequelize';
import type { CatalogueChange } from './catalogue-change.model';
import { Client } from 'pg';

/** The tags that triggers write with a change: it makes every answer stale that depends on one of them. */
export const catalogueTags = {
  /** A tag of every answer. */
  all: 'all',
  /** Stock, ratings and similar fields of one product. */
  product: (id: string): string => id,
  /** The set of products that are in stock. */
  availability: 'availability',
  /** The order of products by popularity. */
  sales: 'sales',
  salesIn: (categoryId: string): string => `sales:${categoryId}`,
  /** Texts and terms of strategies, the set of them, and their categories. */
  strategies: 'strategies',
  /** Capacity, popularity, returns by month and documents of one strategy. */
  strategy: (id: string): string => id,
  /** The popularity of one strategy. */
  investedIn: (strategyId: string): string => `invested:${strategyId}`,
  /** The order of strategies by popularity. */
  investments: 'investments',
};

/** Receives committed changes of the catalogue over a connection of its own. */
export interface CatalogueChannel {
  /**
   * The tags of all changes committed since the last call, or since the channel was opened. Rejects when the connection
   * is lost or does not answer; the channel can then no longer be used.
   */
  changes: () => Promise<readonly string[]>;
  close: () => Promise<void>;
}

const CHANNEL = 'catalogue';
/** Time limit of the channel's statements, after which the connection counts as lost. */
const TIMEOUT_MS = 2_000;

/**
 * The changes since a snapshot `$1`, and the snapshot of this statement. The index finds the transactions that `$1` does
 * not see, since none of them is older than its oldest running one.
 */
const CHANGES = `
  SELECT pg_current_snapshot()::text AS version, ARRAY(
    SELECT DISTINCT unnest(c.tags) FROM catalogue_changes c
    WHERE c.transaction_id >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
      AND NOT pg_visible_in_snapshot(c.transaction_id::text::xid8, $1::pg_snapshot)) AS tags`;

/** Opens a channel. `announced` is called when there may be changes, `lost` once when the connection ends. */
export async function openCatalogueChannel(
  url: string,
  { announced, lost }: { announced: () => void; lost: () => void },
): Promise<CatalogueChannel> {
  const client = new Client({
    connectionString: url,
    application_name: 'catalogue',
    keepAlive: true,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('notification', announced);
  client.on('error', () => undefined); // `end` follows.
  client.once('end', lost);
  await client.connect();

  let version: string | null = null;
  const changes = async (): Promise<readonly string[]> => {
    const { rows } = await client.query<{ version: string } & Pick<Attributes<CatalogueChange>, 'tags'>>({
      name: 'catalogue-changes',
      text: CHANGES,
      values: [version],
    });
    version = rows[0]?.version ?? version;
    return rows[0]?.tags ?? [];
  };
  try {
    // In this order, so that a commit between the two is announced.
    await client.query(`LISTEN ${CHANNEL}`);
    await changes();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  return { changes, close: () => client.end() };
}
