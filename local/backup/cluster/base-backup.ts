import { Readable } from 'node:stream';
import type { Client, Connection, Submittable } from 'pg';

/** `n`: an archive begins, `d`: bytes of it, `p`: progress. */
const BYTES = 'd'.charCodeAt(0);

/** The messages of a command as `pg` passes them on. */
interface CopyMessage {
  chunk: Buffer;
}

type Wire = Connection & { query: (text: string) => void; stream: Readable };

/**
 * `BASE_BACKUP` of PostgreSQL's replication protocol: the server sends its data directory as one tar archive, without
 * what must not be copied, after it has compared each page with its checksum. Reads no faster than `archive` is read.
 */
class BaseBackup implements Submittable {
  private wire: Wire | undefined;
  readonly archive = new Readable({
    read: () => this.wire?.stream.resume(),
    // A reader that has given up: the rest is of no use.
    destroy: (error, done) => {
      if (error) this.wire?.stream.destroy();
      done(error);
    },
  });
  /** The position in the log at which the backup begins. */
  readonly begins: Promise<string>;
  private tellBegin: (position: string) => void = () => undefined;
  private hasBegun = false;

  constructor(private readonly command: string) {
    this.begins = new Promise((resolve, reject) => {
      this.tellBegin = resolve;
      this.archive.once('error', reject);
    });
    this.begins.catch(() => undefined);
  }

  submit(connection: Connection): void {
    this.wire = connection;
    this.wire.query(this.command);
  }

  handleRowDescription(): void {
    // Three results: where it begins, the tablespaces, where it ends. Each has its values in its rows.
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.tellBegin(fields[0] ?? '');
  }

  handleCopyData({ chunk }: CopyMessage): void {
    // The bytes are the connection's own, which reads the next ones into them.
    if (chunk[0] === BYTES && !this.archive.push(Buffer.from(chunk.subarray(1)))) this.wire?.stream.pause();
  }

  handleCommandComplete(): void {
    // One for each result; the end is `handleReadyForQuery`.
  }

  handleEmptyQuery(): void {
    // The command is not empty.
  }

  handleReadyForQuery(): void {
    this.archive.push(null);
    // The archive asks for no more, and the connection is used for more.
    this.wire?.stream.resume();
  }

  handleError(error: Error): void {
    this.archive.destroy(error);
  }
}

/** Begins a backup on a connection with `replication=database`; the log that belongs to it is not in the archive. */
export function beginBaseBackup(
  client: Client,
  label: string,
): { archive: Readable; begins: Promise<string> } {
  const options = `LABEL ${client.escapeLiteral(label)}, CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no'`;
  const { archive, begins } = client.query(new BaseBackup(`BASE_BACKUP (${options})`));
  return { archive, begins };
}
