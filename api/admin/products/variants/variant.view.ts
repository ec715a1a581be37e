import { z } from 'zod';
import { PLATFORM_CURRENCY, toMajor, toMinor } from '../../../../workflows/commerce/money.rules';
import { money, text } from '../../../http/request/fields';
import type { SentFields } from '../../../http/request/sent-fields';
import { attributes, sku, units } from '../product.request';
import type { StoredVariant } from './add.command';
import type { VariantChanges } from './change.command';
import { productReference } from '../../../http/request/ids/references';
import { demo } from '../../../http/request/ids/demo-ids';
import { idOf } from '../../../http/request/ids/id-of';

/** The path parameters of one variant. */
export const oneVariant = z.object({
  id: productReference(demo.editable.product),
  variantId: idOf('variant').meta({
    description: 'The variant: `id` in the `variants` of the product.',
    example: demo.editable.variant,
  }),
});

const fields = {
  name: text({ min: 1, max: 200 }).meta({ example: 'Blue, 1 l' }),
  sku: sku(),
  price: money().describe('The price of one unit, in the currency of the product.'),
  attributes: attributes(),
  stockQuantity: units().meta({ description: 'Units of it that may be ordered from now on.' }),
};

/** The body of a request for a new variant. */
export const VariantRequest = z
  .object({
    ...fields,
    name: fields.name.optional().meta({ description: 'If left out, made from the attributes.' }),
    price: fields.price.optional().meta({ description: 'If left out, the price of the product.' }),
    attributes: fields.attributes.optional(),
    stockQuantity: fields.stockQuantity.optional(),
  })
  .meta({ id: 'VariantRequest' });

/** The body of a change; fields left out stay. */
export const VariantChange = z
  .object({
    ...fields,
    stockQuantity: fields.stockQuantity.nullable().meta({
      description:
        'Units of it that may be ordered from now on; null only while the product’s stock is not tracked.',
    }),
  })
  .partial()
  .meta({ id: 'VariantChange' });

export const AdminVariant = z
  .object({
    id: z.uuid(),
    productId: z.uuid().describe('Identifies the product; a UUID.'),
    name: z.string(),
    sku: z.string(),
    price: z.number().describe('The price of one unit, in the currency of the product.'),
    stockQuantity: z.int().nullable().meta({ description: 'Null when the product’s stock is not tracked.' }),
    attributes: z.record(z.string(), z.string()),
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid().describe('The administrator who did it.'),
  })
  .meta({ id: 'AdminVariant' });

export function variantView(variant: StoredVariant, updatedBy: string): z.output<typeof AdminVariant> {
  const { product, id, name, sku: number, priceMinor, stockQuantity, attributes: map, changedAt } = variant;
  return {
    id,
    productId: product.id,
    name,
    sku: number,
    price: toMajor(priceMinor, product.currency),
    stockQuantity: product.trackInventory ? stockQuantity : null,
    attributes: map,
    updatedAt: changedAt.toISOString(),
    updatedBy,
  };
}

/** The changes that a request describes, in the units of the database. */
export function variantFrom({ price, ...rest }: SentFields<z.output<typeof VariantChange>>): VariantChanges {
  return { ...rest, ...(price !== undefined && { priceMinor: toMinor(price, PLATFORM_CURRENCY) }) };
}
