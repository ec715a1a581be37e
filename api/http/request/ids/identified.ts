import { z } from 'zod';

/** Everything that a request can name by an id, or by a name that stands for one, in the singular. */
export type Resource =
  | 'address'
  | 'bank file'
  | 'cart'
  | 'cart item'
  | 'category'
  | 'collected transfer'
  | 'commission'
  | 'coupon'
  | 'coupon code'
  | 'event'
  | 'identity document'
  | 'image'
  | 'investment difference'
  | 'investment provider'
  | 'link'
  | 'message'
  | 'operation'
  | 'order'
  | 'order item'
  | 'participation'
  | 'partner'
  | 'payment difference'
  | 'payment purpose'
  | 'payment refund'
  | 'payout'
  | 'pool'
  | 'product'
  | 'refund'
  | 'report'
  | 'review'
  | 'session'
  | 'shipping method'
  | 'strategy'
  | 'strategy category'
  | 'strategy document'
  | 'taxed country'
  | 'top-up'
  | 'user'
  | 'variant'
  | 'verification'
  | 'wallet withdrawal'
  | 'withdrawal';

/** A resource, and its states in which the endpoint succeeds; all of them if none is stated. */
export interface Identified {
  resource: Resource;
  states: readonly string[];
}

const registry = z.registry<Identified>();

/** The schema as that of an id, code or number that identifies a resource. Later `.meta()` does not lose that. */
export function identifying<Schema extends z.ZodType>(
  schema: Schema,
  resource: Resource,
  ...states: readonly string[]
): Schema {
  registry.add(schema, { resource, states });
  return schema;
}

/** The resource that values of the schema identify, which may be optional; undefined if they identify none. */
export function identifiedBy(schema: z.core.$ZodType): Identified | undefined {
  const { def } = schema._zod;
  return (
    registry.get(schema) ?? ('innerType' in def ? identifiedBy(def.innerType as z.core.$ZodType) : undefined)
  );
}

/** `an order that is SHIPPED or DELIVERED`. */
export function inWords({ resource, states }: Identified): string {
  const last = states.at(-1);
  const named = states.length < 2 ? last : `${states.slice(0, -1).join(', ')} or ${last}`;
  const article = /^[aeio]/.test(resource) ? 'an' : 'a';
  return `${article} ${resource}${named === undefined ? '' : ` that is ${named}`}`;
}
