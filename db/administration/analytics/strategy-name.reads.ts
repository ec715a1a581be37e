import { Strategy } from '../../investment/strategy/strategy.model';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';

/** The names of strategies, by their ids. */
export async function strategyNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await table(db, Strategy).all(['id', 'name'], { id: [...ids] });
  return new Map(found.map(({ id, name }) => [id, name]));
}
