import type { Attributes } from 'sequelize';
import type { RiskLevel } from '../../../workflows/investment/strategy/strategy.rules';
import { rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';
import { table } from '../../sql/table';
import { InvestmentCategory } from './investment-category.model';

/** A category with what its strategies are like. */
export type ShownCategoryRow = Pick<
  Attributes<InvestmentCategory>,
  'id' | 'name' | 'slug' | 'description' | 'imageUrl' | 'isActive'
> & {
  strategiesCount: number;
  /** Each that occurs, in any order. */
  riskLevels: RiskLevel[];
  /** Annual rates in basis points; null without strategies. */
  returnMinBp: number | null;
  returnMaxBp: number | null;
};

/** The active categories by name. */
export const shownCategories = (db: Db): Promise<ShownCategoryRow[]> =>
  rows<ShownCategoryRow>(
    db,
    `SELECT c.id, c.name, c.slug, c.description, c.image_url, c.is_active, count(s.id)::int AS strategies_count,
       coalesce(array_agg(DISTINCT s.risk_level) FILTER (WHERE s.id IS NOT NULL), '{}') AS risk_levels,
       min(s.return_min_bp) AS return_min_bp, max(s.return_max_bp) AS return_max_bp
     FROM investment_categories c LEFT JOIN investment_strategies s ON s.category_id = c.id
     WHERE c.is_active GROUP BY c.id ORDER BY ${byName('c.name')}, c.id`,
  );

/** True if there is a category of this id, active or not. */
export const investmentCategoryExists = async (db: Db, id: string): Promise<boolean> =>
  (await table(db, InvestmentCategory).one(['id'], { id })) !== null;
