import { z } from 'zod';
import { categoryIdOfSlug } from '../../../../db/catalog/category/category-slug.reads';
import { productIdOfSlug } from '../../../../db/catalog/product/product-slug.reads';
import { orderIdOfNumber } from '../../../../db/commerce/order/order.reads';
import { participationIdOfNumber } from '../../../../db/investment/participation/participation-head.reads';
import { strategyIdOfSlug } from '../../../../db/investment/strategy/strategy-slug.reads';
import type { Db } from '../../../../db/sql/query';
import { isUuid } from '../../../../workflows/kit/values/uuid.rules';
import { demo } from './demo-ids';
import { identifying, inWords, type Resource } from './identified';

type FindId = (db: Db, name: string) => Promise<string | null>;

/** Nothing has this id, so every endpoint refuses an unknown name as it refuses an unknown id. */
const NOBODYS_ID = '00000000-0000-0000-0000-000000000000';
/** Longer than every slug and order number. */
const MOST_CHARACTERS = 300;

const finders = new WeakMap<z.core.$ZodType, FindId>();

/** `example`: an id of the demo data, with which the request can be sent. */
const reference = (
  { findId, resource, states = [] }: { findId: FindId; resource: Resource; states?: readonly string[] },
  name: string,
  example?: string,
): z.ZodString => {
  const description = `The id of ${inWords({ resource, states })}, or its ${name}.`;
  const schema = z
    .string()
    .max(MOST_CHARACTERS)
    .overwrite((given) => (isUuid(given) ? given.toLowerCase() : given))
    .meta({ description, ...(example !== undefined && { example }) });
  finders.set(schema, findId);
  return identifying(schema, resource, ...states);
};

/** An order in a path, by id or number; the handler gets the id. `states`: those in which the endpoint succeeds. */
export const orderReference = (...states: readonly string[]) =>
  reference({ findId: orderIdOfNumber, resource: 'order', states }, 'number, such as ORD-2026-00000339');

/** A participation in a path, by id or number; the handler gets the id. */
export const participationReference = (...states: readonly string[]) =>
  reference(
    { findId: participationIdOfNumber, resource: 'participation', states },
    'number, such as INV-2026-00000012',
  );

/** A product in a path, by id or slug; the handler gets the id. */
export const productReference = (example: string = demo.product) =>
  reference({ findId: productIdOfSlug, resource: 'product' }, 'slug', example);

/** A category in a path, by id or slug; the handler gets the id. */
export const categoryReference = () =>
  reference({ findId: categoryIdOfSlug, resource: 'category' }, 'slug', demo.category);

/** A strategy in a path, by id or slug; the handler gets the id. */
export const strategyReference = (example: string = demo.strategy, ...states: readonly string[]) =>
  reference({ findId: strategyIdOfSlug, resource: 'strategy', states }, 'slug', example);

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
