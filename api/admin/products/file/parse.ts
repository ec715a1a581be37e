import { CsvError, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { refusal } from '../../../../workflows/errors';
import { invalid } from '../../../http/validation/validation';
import { unguarded } from './cell';
import type { Column } from './columns';
import { columnsIn, separatorIn, syntaxFault, type FileColumns, type Separator } from './syntax';

export const MOST_ROWS = 5_000;
const MOST_ROW_BYTES = 200_000;
/** The file is parsed in chunks, so that other requests are answered in between. */
const CHUNK_BYTES = 65_536;
/** Each line may end in its own way: files are put together from others. */
const LINE_ENDS = ['\r\n', '\n', '\r'];

export interface FileRow {
  /** As spreadsheets count: row 1 has the names of the columns. */
  number: number;
  /** By column, without the apostrophes of `guarded`; columns that the file does not have are left out. */
  cells: ReadonlyMap<Column, string>;
  separator: Separator;
  /** The error of the row as a whole, or null. */
  error: string | null;
}

/**
 * The rows of a file of products without the empty ones. Refused: INVALID_FILE_TYPE for a file that is not text in UTF-8,
 * VALIDATION_ERROR for one that is not CSV, has too many rows or unknown columns.
 */
export async function rowsIn(file: Buffer): Promise<FileRow[]> {
  requireText(file);
  const separator = separatorIn(file);
  const [header = [], ...others] = await recordsIn(file, separator);
  const { columns, fault } = columnsIn(header);
  if (fault !== null) throw invalid({ file: [fault] });
  return others.flatMap((cells, index) =>
    cells.every((cell) => cell.trim() === '')
      ? []
      : [{ number: index + 2, separator, ...contentOf(columns, cells) }],
  );
}

function requireText(file: Buffer): void {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    if (!text.includes('\u0000')) return;
  } catch {
    // Not UTF-8: refused below.
  }
  throw refusal('INVALID_FILE_TYPE', 'The file must be CSV in UTF-8.', { file: ['must be text in UTF-8'] });
}

async function recordsIn(file: Buffer, separator: Separator): Promise<string[][]> {
  const chunks = Array.from({ length: Math.ceil(file.length / CHUNK_BYTES) }, (_, i) =>
    file.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES),
  );
  let parsedBytes = 0;
  const parser = parse({
    bom: true,
    delimiter: separator,
    relax_column_count: true,
    record_delimiter: LINE_ENDS,
    max_record_size: MOST_ROW_BYTES,
    on_record: (record: string[], { bytes }) => {
      parsedBytes = bytes;
      return record;
    },
  });
  const records: string[][] = [];
  try {
    for await (const record of Readable.from(chunks).pipe(parser) as AsyncIterable<string[]>) {
      records.push(record);
      if (records.length > MOST_ROWS + 1) throw invalid({ file: [`must have at most ${MOST_ROWS} rows`] });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid({ file: [syntaxFault(error, file.subarray(0, parsedBytes))] });
  }
  return records;
}

/** Cells that are missing at the end of a row are like columns that the file does not have. */
function contentOf(columns: FileColumns, cells: readonly string[]): Pick<FileRow, 'cells' | 'error'> {
  const found = columns.flatMap((name, i) => {
    const cell = cells[i];
    return name === null || cell === undefined ? [] : [[name, unguarded(cell.trim())] as const];
  });
  const unnamed = cells.findIndex((cell, i) => (columns[i] ?? null) === null && cell.trim() !== '');
  const error = unnamed === -1 ? null : `has content in column ${unnamed + 1}, which has no name`;
  return { cells: new Map(found), error };
}
