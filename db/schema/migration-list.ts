import { join } from 'node:path';
import type { QueryInterface } from 'sequelize';
import { programFiles } from '../program/program-files';

export interface Migration {
  readonly name: string;
  /**
   * Runs it without a transaction, for `CREATE INDEX CONCURRENTLY`, which lets rows be written meanwhile. Each of its steps
   * has to be safe to repeat: after a kill all of it runs again.
   */
  readonly outsideTransaction?: true;
  readonly up: (query: QueryInterface) => Promise<void>;
  readonly down: (query: QueryInterface) => Promise<void>;
}

/**
 * Every migration in the folder, in the order of their names, under which databases record them: numbers are not reused.
 * A migration is a file, or a folder with an index.
 */
export const migrationList: readonly Migration[] = readMigrations(join(__dirname, 'migrations'));

/** The migrations in a folder. Throws for a file that is none, and for two of one number, whose order nobody decided. */
export function readMigrations(folder: string): Migration[] {
  const migrations = programFiles(folder, { deep: false }).map(({ name, path }) => {
    const { up, down, outsideTransaction } = module.require(path) as Partial<Migration>;
    if (!/^\d{4}-[a-z-]+$/.test(name) || !up || !down) throw new Error(`${path} is no migration.`);
    return { name, up, down, ...(outsideTransaction && { outsideTransaction }) };
  });
  const numbers = migrations.map(({ name }) => name.slice(0, 4));
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`Two migrations have the number ${twice}.`);
  return migrations;
}
