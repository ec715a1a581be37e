import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';
import { table } from '../../sql/table';
import { InvestmentCategory } from './investment-category.model';

/** A category of strategies as administrators see it. */
export type InvestmentCategoryRecord = Attributes<InvestmentCategory>;

/** A category of strategies, with the number of its strategies of every status. */
export type CountedInvestmentCategory = InvestmentCategoryRecord & { strategiesCount: number };

const COLUMNS = [
  'id',
  'name',
  'slug',
  'description',
  'imageUrl',
  'isActive',
  'createdAt',
  'updatedAt',
] as const;

/** A category of strategies, active or not; null if there is none. */
export const investmentCategory = (db: Db, id: string): Promise<InvestmentCategoryRecord | null> =>
  table(db, InvestmentCategory).one(COLUMNS, { id });

/** All categories of strategies, active or not, by name. */
export const allInvestmentCategories = (db: Db): Promise<CountedInvestmentCategory[]> =>
  rows<CountedInvestmentCategory>(
    db,
    `SELECT c.*, count(s.id)::int AS strategies_count
     FROM investment_categories c LEFT JOIN investment_strategies s ON s.category_id = c.id
     GROUP BY c.id ORDER BY ${byName('c.name')}, c.id`,
  );
