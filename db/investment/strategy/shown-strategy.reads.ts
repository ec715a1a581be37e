import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { StrategyDocument } from './strategy-document.model';
import type { Strategy } from './strategy.model';

/** A document as visitors see it. */
export type ShownDocument = Pick<Attributes<StrategyDocument>, 'id' | 'type' | 'name' | 'url'>;

/** A strategy on its own page, and the parts that only administrators see; amounts in minor units, rates in basis points. */
export type StrategyDetailRow = Attributes<Strategy> & {
  category: { id: string; name: string; description: string | null };
  documents: ShownDocument[];
};

/** A strategy of any status; null for an unknown id. */
export const strategyDetail = (db: Db, id: string): Promise<StrategyDetailRow | null> =>
  firstRow<StrategyDetailRow>(
    db,
    `SELECT s.*, json_build_object('id', c.id, 'name', c.name, 'description', c.description) AS category,
       (SELECT coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'name', d.name, 'url', d.url)
           ORDER BY d.position, d.id), '[]')
         FROM investment_strategy_documents d WHERE d.strategy_id = s.id) AS documents
     FROM investment_strategies s JOIN investment_categories c ON c.id = s.category_id WHERE s.id = $1`,
    [id],
  );
