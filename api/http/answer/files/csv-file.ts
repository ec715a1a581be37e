import { stringify } from 'csv-stringify/sync';

export interface CsvRows<Row> {
  columns: readonly string[];
  cells: (row: Row) => string[];
  /** The first rows after one in the order of the file; from the beginning if it is null. */
  after: (row: Row | null, limit: number) => Promise<Row[]>;
  /** Rows per chunk: the most that are in memory at once. */
  chunk: number;
}

/** Rows as CSV. The header is in one chunk with the first of them, so that nothing is sent before the database has answered. */
export async function* csvFile<Row>({ columns, cells, after, chunk }: CsvRows<Row>): AsyncGenerator<string> {
  let lines: string[][] = [[...columns]];
  for (let last: Row | null = null; ;) {
    const found: Row[] = await after(last, chunk);
    lines = [...lines, ...found.map(cells)];
    if (lines.length > 0) yield stringify(lines, { record_delimiter: 'windows' });
    if (found.length < chunk) return;
    lines = [];
    last = found.at(-1) ?? null;
  }
}
