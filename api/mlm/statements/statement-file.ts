import { stringify } from 'csv-stringify/sync';
import {
  openingMinor,
  statementLines,
  type StatementLine,
  type StatementOwner,
} from '../../../db/partners/earnings/statement.reads';
import type { Db } from '../../../db/sql/query';
import { figureInMajor } from '../../../workflows/commerce/money.rules';
import { monthOf } from '../../../workflows/partners/statement/statement.rules';

const CHUNK_LINES = 1_000;

const COLUMNS = [
  'date',
  'kind',
  'amount',
  'balance',
  'currency',
  'commissionId',
  'commissionType',
  'orderNumber',
];

/** The description of the file of a statement. */
export const STATEMENT_FILE_WORDS = `CSV in UTF-8 with a byte order mark. The columns are ${COLUMNS.map((column) => `\`${column}\``).join(', ')}. The first row is the OPENING, the last the CLOSING; \`balance\` is what pending, available and held for a payout come to after each row.`;

/** The statement from its opening to its closing; the balance is carried from line to line. */
export async function* statementFile(
  db: Db,
  owner: StatementOwner,
  ofPeriod: string,
): AsyncGenerator<string> {
  const time = monthOf(ofPeriod);
  const { currency } = owner;
  let balance = await openingMinor(db, owner, time);
  const major = (minor: number): string => String(figureInMajor(minor, currency));
  const mark = (kind: string, at: Date) => [at.toISOString(), kind, '', major(balance), currency, '', '', ''];
  let lines: string[][] = [COLUMNS, mark('OPENING', time.from)];
  for (let after: StatementLine | null = null; ;) {
    const found: StatementLine[] = await statementLines(db, owner, time, after, CHUNK_LINES);
    for (const line of found) {
      balance += line.minor;
      const type = line.commissionType === null ? '' : String(line.commissionType);
      const about = [line.commissionId ?? '', type, line.orderNumber ?? ''];
      lines.push([line.at.toISOString(), line.kind, major(line.minor), major(balance), currency, ...about]);
    }
    const isEnd = found.length < CHUNK_LINES;
    if (isEnd) lines.push(mark('CLOSING', time.to));
    yield stringify(lines, { record_delimiter: 'windows' });
    if (isEnd) return;
    lines = [];
    after = found.at(-1) ?? null;
  }
}
