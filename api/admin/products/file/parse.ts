import { CsvError, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { refusal } from '../../../../workflows/errors';
import { invalid } from '../../../http/request/validation';
import { unguarded } from './cell';
import { COLUMNS, COUNT_COLUMN, isColumn, type Column } from './columns';

export const MOST_ROWS = 5_000;
const MOST_ROW_BYTES = 200_000;
/** The file is read in bites, so that others are answered in between. */
const BITE_BYTES = 65_536;

/** A row of the file, as people count: the first is that of the columns' names. */
export interface FileRow {
  number: number;
  /** By column, without the apostrophes of `guarded`; a column that the file has not is not there. */
  cells: ReadonlyMap<Column, string>;
  /** What is wrong with the row as a whole. */
  wrong: string | null;
}

/**
 * The rows of a file of products; those without anything in them are left out. Refuses with INVALID_FILE_TYPE what is no
 * text in UTF-8, and with VALIDATION_ERROR what is no CSV, has too many rows, or other columns than ours.
 */
export async function rowsIn(file: Buffer): Promise<FileRow[]> {
  requireText(file);
  const records = await recordsIn(file);
  const [header = [], ...others] = records;
  const columns = header.map((name) => name.trim());
  const wrong = columnsWrong(columns);
  if (wrong) throw invalid({ file: [wrong] });
  return others.flatMap((cells, index) =>
    cells.every((cell) => cell.trim() === '') ? [] : [rowFrom(columns, cells, index + 2)],
  );
}

function requireText(file: Buffer): void {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    if (!text.includes('\u0000')) return;
  } catch {
    // It is no text, and that is said below.
  }
  throw refusal('INVALID_FILE_TYPE', 'The file must be CSV in UTF-8.', { file: ['is no text in UTF-8'] });
}

async function recordsIn(file: Buffer): Promise<string[][]> {
  const bites = Array.from({ length: Math.ceil(file.length / BITE_BYTES) }, (_, i) =>
    file.subarray(i * BITE_BYTES, (i + 1) * BITE_BYTES),
  );
  const parser = parse({ bom: true, relax_column_count: true, max_record_size: MOST_ROW_BYTES });
  const records: string[][] = [];
  try {
    for await (const record of Readable.from(bites).pipe(parser) as AsyncIterable<string[]>) {
      records.push(record);
      if (records.length > MOST_ROWS + 1) throw invalid({ file: [`has more than ${MOST_ROWS} rows`] });
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid({ file: [error.message] }) : error;
  }
  return records;
}

function columnsWrong(columns: readonly string[]): string | null {
  const unknown = columns.filter((name) => !isColumn(name));
  if (unknown.length > 0)
    return `has columns that are none of ${[...COLUMNS, COUNT_COLUMN].join(', ')}: ${unknown.slice(0, 10).join(', ').slice(0, 200)}`;
  if (new Set(columns).size < columns.length) return 'has a column twice';
  return columns.includes('sku') ? null : 'has no column sku';
}

function rowFrom(columns: readonly string[], cells: readonly string[], number: number): FileRow {
  const found = columns.flatMap((name, i) => {
    const cell = cells[i];
    return isColumn(name) && cell !== undefined ? [[name, unguarded(cell.trim())] as const] : [];
  });
  const wrong =
    cells.length === columns.length ? null : `has ${cells.length} cells instead of ${columns.length}`;
  return { number, cells: new Map(found), wrong };
}
