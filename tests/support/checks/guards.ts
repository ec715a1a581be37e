import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { violates } from '../../../db/sql/errors';
import { execute, type Db } from '../../../db/sql/query';

/** Statements by the constraint that each of them violates. */
export type Violating = Readonly<Record<string, readonly string[]>>;

/** A copy of a row of a table with other values of some columns. */
export const copied = (table: string, values: Readonly<Record<string, string>>, where = 'true'): string => {
  const objects = Object.entries(values).map(([column, value]) => `'${column}', ${value}`);
  return `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
    SELECT (jsonb_populate_record(r, jsonb_build_object(${objects.join(', ')}))).* FROM ${table} r WHERE ${where} LIMIT 1`;
};

export const ID = { id: 'gen_random_uuid()' };

/** A CHECK or a key of a table. */
export interface Guard {
  table: string;
  name: string;
  definition: string;
}

/** Those guards of `schema.guards.txt` whose `table name` fits a pattern and whose definition begins with one of the words. */
export function guardsAmong(patterns: readonly RegExp[], words: readonly string[]): Guard[] {
  const file = resolve(__dirname, '../../architecture/schema/schema.guards.txt');
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => /^(\S+) (\S+): (.*)$/.exec(line))
    .flatMap((found) => (found ? [{ table: found[1]!, name: found[2]!, definition: found[3]! }] : []))
    .filter(({ definition }) => words.some((word) => definition.startsWith(word)))
    .filter(({ table, name }) => patterns.some((pattern) => pattern.test(`${table} ${name}`)));
}

/** `name` if it is the constraint by which the database refuses a statement; else what happened. */
export async function refusedBy(db: Db, statement: string, name: string): Promise<string> {
  try {
    const changed = await execute(db, statement);
    return `nothing: it changed ${changed} rows`;
  } catch (error) {
    return violates(error, name) ? name : String(error);
  }
}

/** The statements of constraints, one after the other, for `test.each`. */
export const casesOf = (violating: Violating): (readonly [string, string])[] =>
  Object.entries(violating).flatMap(([name, statements]) =>
    statements.map((statement) => [name, statement.replaceAll(/\s+/g, ' ')] as const),
  );
