import { Category } from '../../catalog/category/category.model';
import { Strategy } from '../../investment/strategy/strategy.model';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';

type Names = ReadonlyMap<string, string>;

const byId = (found: readonly { id: string; name: string }[]): Names =>
  new Map(found.map(({ id, name }) => [id, name]));

/** The names of strategies, by their ids. */
export const strategyNames = async (db: Db, ids: readonly string[]): Promise<Names> =>
  ids.length === 0 ? new Map() : byId(await table(db, Strategy).all(['id', 'name'], { id: [...ids] }));

/** The names of categories that still exist, by their ids. */
export const categoryNames = async (db: Db, ids: readonly string[]): Promise<Names> =>
  ids.length === 0 ? new Map() : byId(await table(db, Category).all(['id', 'name'], { id: [...ids] }));
