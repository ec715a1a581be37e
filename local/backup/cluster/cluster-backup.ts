import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { beginBaseBackup } from './base-backup';
import { PARTS, type StoredFile } from '../manifest';
import { storeFile } from '../stored-file';

interface Cluster {
  /** The superuser's address of the platform's database. */
  url: string;
  /** The server's files, which this program may read. */
  dataDir: string;
}

interface Facts {
  version: string;
  migration: string;
}

/**
 * A physical backup of the embedded server, which ships neither pg_dump nor pg_basebackup. First `copy` stores the data
 * directory as the server sends it; the log written meanwhile is kept by a replication slot. Then `end` chooses the
 * moment that a restore arrives at, whenever the caller wants it: a restore replays the log up to there. Then `copyLog`
 * stores that log. The slot ends with the connection.
 */
export class ClusterBackup {
  private begins = '';
  private ends = '';

  private constructor(
    private readonly client: Client,
    private readonly dataDir: string,
    readonly facts: Facts,
  ) {}

  static async open({ url, dataDir }: Cluster): Promise<ClusterBackup> {
    const address = new URL(url);
    address.searchParams.set('replication', 'database');
    const client = new Client({ connectionString: address.href, application_name: 'backup' });
    // A lost connection fails the statement that runs.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return new ClusterBackup(client, dataDir, await factsOf(client));
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Stores the data directory. */
  async copy(folder: string, signal: AbortSignal): Promise<StoredFile> {
    await this.client.query(`CREATE_REPLICATION_SLOT backup_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    const { archive, begins } = beginBaseBackup(this.client, 'npm run backup');
    const stored = await storeFile(folder, PARTS.cluster, archive, signal);
    this.begins = await begins;
    return stored;
  }

  /** Ends the current file of the log. A restore arrives there, since later files are not stored. */
  async end(): Promise<void> {
    // Where nothing was written since the last one ended, its answer is the first byte of the next one.
    const [row] = await this.ask(Position, 'SELECT (pg_switch_wal() - 1::numeric)::text AS position');
    this.ends = row?.position ?? '';
  }

  /** Stores the log between the beginning and the end. */
  async copyLog(folder: string, signal: AbortSignal): Promise<StoredFile[]> {
    const names = await this.logFiles();
    const stored: StoredFile[] = [];
    for (const name of names) {
      const source = createReadStream(path.join(this.dataDir, 'pg_wal', name));
      stored.push(await storeFile(folder, `${PARTS.walDir}/${name}.gz`, source, signal));
    }
    return stored;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** The files of the log in order. Throws when the server has removed one of them. */
  private async logFiles(): Promise<string[]> {
    const bounds = [this.begins, this.ends].map((position) => this.client.escapeLiteral(position));
    const [begins = '', ends = ''] = bounds;
    const files = await this.ask(
      LogFile,
      `WITH size AS (SELECT setting::numeric AS bytes FROM pg_settings WHERE name = 'wal_segment_size')
       SELECT name, (floor((${ends}::pg_lsn - '0/0') / bytes) - floor((${begins}::pg_lsn - '0/0') / bytes) + 1)::int AS needed
         FROM pg_ls_waldir(), size
        WHERE name ~ '^[0-9A-F]{24}$' AND name BETWEEN pg_walfile_name(${begins}) AND pg_walfile_name(${ends})
        ORDER BY name`,
    );
    if (files.length === 0 || files.length !== files[0]?.needed)
      throw new Error(`PostgreSQL has ${files.length} of the files of its log that the backup needs.`);
    return files.map(({ name }) => name);
  }

  private async ask<Row>(row: z.ZodType<Row>, sql: string): Promise<Row[]> {
    return z.array(row).parse((await this.client.query(sql)).rows);
  }
}

const Position = z.object({ position: z.string() });
const LogFile = z.object({ name: z.string(), needed: z.coerce.number() });
const FactsRow = z.object({ version: z.string(), migration: z.string() });

/** Throws, saying why, when the database holds no platform yet. */
async function factsOf(client: Client): Promise<Facts> {
  const { rows: tables } = await client.query(
    `SELECT 1 FROM pg_tables WHERE tablename = 'schema_migrations'`,
  );
  if (tables.length === 0)
    throw new Error('The database is empty: start the platform once with `npm start`.');
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS version, max(name) AS migration FROM schema_migrations`,
  );
  return FactsRow.parse(rows[0]);
}
