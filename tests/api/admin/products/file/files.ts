import { stringify } from 'csv-stringify/sync';
import { parse } from 'csv-parse/sync';
import type { Response } from 'supertest';
import type { AdminWorld } from '../../admin-world';

/** A file with these rows; its columns are those of the first. */
export const fileOf = (rows: readonly Record<string, string>[]): string =>
  stringify([...rows], { header: true });

/** Sends a file of products, by default as an administrator. */
export const sendFile = async (
  { world, tokens }: AdminWorld,
  file: string | Buffer,
  token: string | null = tokens.admin,
  query = '',
): Promise<Response> => {
  const request = world.http.post(`/api/v1/admin/products/import${query}`);
  if (token !== null) void request.auth(token, { type: 'bearer' });
  return request.attach('file', Buffer.from(file), 'products.csv');
};

/** The outcomes of the rows of an import, and the columns with errors. */
export const outcomesOf = ({ body }: Response): [number, string, string[]][] =>
  (body.data.rows as { row: number; outcome: string; errors: object | null }[]).map(
    ({ row, outcome, errors }) => [row, outcome, Object.keys(errors ?? {})],
  );

export const readFile = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, bom: true }) as unknown as Record<string, string>[];

/** A row that creates a product. */
export const newRow = (sku: string, cells: Record<string, string> = {}): Record<string, string> => ({
  sku,
  name: `Thing ${sku}`,
  description: 'It does what it says.',
  price: '10',
  status: 'ACTIVE',
  commissionPercentage: '10',
  careerPointsPercentage: '100',
  ...cells,
});
