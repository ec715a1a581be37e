import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { StrategyDocument } from './strategy-document.model';

/** A document of a strategy, with its place and its blob, if that is stored here. */
export type StoredDocument = Pick<
  Attributes<StrategyDocument>,
  'id' | 'type' | 'name' | 'url' | 'position' | 'mediaName'
>;

/** The documents of a strategy in their order. */
export const documentsOf = (db: Db, strategyId: string): Promise<StoredDocument[]> =>
  table(db, StrategyDocument).all(
    ['id', 'type', 'name', 'url', 'position', 'mediaName'],
    { strategyId },
    {
      order: [
        ['position', 'ASC'],
        ['id', 'ASC'],
      ],
    },
  );
