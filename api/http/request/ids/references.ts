import { z } from 'zod';
import { categoryIdOfSlug } from '../../../../db/catalog/category/category-slug.reads';
import { productIdOfSlug } from '../../../../db/catalog/product/product-slug.reads';
import { orderIdOfNumber } from '../../../../db/commerce/order/order.reads';
import { participationIdOfNumber } from '../../../../db/investment/participation/participation-head.reads';
import { strategyIdOfSlug } from '../../../../db/investment/strategy/strategy-slug.reads';
import type { Db } from '../../../../db/sql/query';
import { isUuid } from '../../../../workflows/kit/values/uuid.rules';
import { demo } from './demo-ids';

type FindId = (db: Db, name: string) => Promise<string | null>;

/** Nothing has this id, so every endpoint refuses an unknown name as it refuses an unknown id. */
const NOBODYS_ID = '00000000-0000-0000-0000-000000000000';
/** Longer than every slug and order number. */
const MOST_CHARACTERS = 300;

const finders = new WeakMap<z.core.$ZodType, FindId>();

/** `example`: an id of the demo data, with which the request can be sent. */
const reference = (findId: FindId, description: string, example?: string): z.ZodString => {
  const schema = z
    .string()
    .max(MOST_CHARACTERS)
    .overwrite((given) => (isUuid(given) ? given.toLowerCase() : given))
    .meta({ description, ...(example !== undefined && { example }) });
  finders.set(schema, findId);
  return schema;
};

/** An order in a path, by id or number; the handler gets the id. */
export const orderReference = () =>
  reference(orderIdOfNumber, 'The id of the order, or its number, such as ORD-2026-00000339.');

/** A participation in a path, by id or number; the handler gets the id. */
export const participationReference = () =>
  reference(
    participationIdOfNumber,
    'The id of the participation, or its number, such as INV-2026-00000012.',
  );

/** A product in a path, by id or slug; the handler gets the id. */
export const productReference = (example: string = demo.product) =>
  reference(productIdOfSlug, 'The id of the product, or its slug.', example);

/** A category in a path, by id or slug; the handler gets the id. */
export const categoryReference = () =>
  reference(categoryIdOfSlug, 'The id of the category, or its slug.', demo.category);

/** A strategy in a path, by id or slug; the handler gets the id. */
export const strategyReference = (example: string = demo.strategy) =>
  reference(strategyIdOfSlug, 'The id of the strategy, or its slug.', example);

/** Replaces the names among the validated `params` by the ids of what they name. */
export function resolvingReferences(schema: z.ZodType): (params: unknown, db: Db) => Promise<unknown> {
  const shape: Record<string, z.core.$ZodType> = schema instanceof z.ZodObject ? schema.shape : {};
  const references = Object.entries(shape).flatMap(([name, field]) => {
    const findId = finders.get(field);
    return findId ? [{ name, findId }] : [];
  });
  return async (params, db) => {
    const resolved = { ...(params as Record<string, string>) };
    for (const { name, findId } of references) {
      const given = resolved[name] ?? '';
      if (!isUuid(given)) resolved[name] = (await findId(db, given)) ?? NOBODYS_ID;
    }
    return resolved;
  };
}
