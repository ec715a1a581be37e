import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rows, type Db } from '../../../db/sql/query';

/** Bytes that must not be found, under the name that a report gives them. */
export type Secrets = Readonly<Record<string, string | Buffer>>;

/**
 * The ways in which bytes are written into files and rows: as they are, in hex (`bytea` in a dump), and the part of their
 * base64 that is the same whatever stands before and after them, for each of its three alignments.
 */
function spellings(secret: string | Buffer): Buffer[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(before === 0 ? 0 : 4, Math.floor((before + bytes.length) / 3) * 4);
  });
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([bytes.toString('hex'), ...base64, ...urlSafe])]
    .map((text) => Buffer.from(text))
    .concat(bytes);
}

/** The names of those secrets that these bytes contain in any spelling. */
export const tracesIn = (bytes: Buffer, secrets: Secrets): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    spellings(secret).some((spelling) => bytes.includes(spelling)) ? [name] : [],
  );

/** Every file below a folder, with its bytes. */
export async function filesBelow(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path, bytes: await readFile(path) };
    }),
  );
}

/** Every row of every table as text, by table, as the owner of the schema sees them. */
export async function dumpOf(owner: Db): Promise<Map<string, Buffer>> {
  const tables = await rows<{ name: string }>(
    owner,
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const dump = new Map<string, Buffer>();
  for (const { name } of tables) {
    const lines = await rows<{ line: string }>(owner, `SELECT t::text AS line FROM "${name}" t`);
    dump.set(name, Buffer.from(lines.map(({ line }) => line).join('\n')));
  }
  return dump;
}
