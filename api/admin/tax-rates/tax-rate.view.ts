import { z } from 'zod';
import { country } from '../../http/request/fields';
import { demo } from '../../http/request/ids/demo-ids';
import { identifying } from '../../http/request/ids/identified';

/** The path parameters of one country's rate. */
export const oneCountry = z.object({
  country: identifying(country().meta({ example: demo.country }), 'taxed country'),
});

/** A percentage with at most two decimals. */
export const rate = () =>
  z
    .number()
    .min(0)
    .max(100)
    .refine((percent) => Math.round(percent * 100) / 100 === percent, 'must have at most 2 decimals')
    .meta({ multipleOf: 0.01, example: 19 });

export const AdminTaxRate = z
  .object({
    country: z.string().meta({ example: 'DE' }),
    rate: z.number().meta({ description: 'The tax in percent.', example: 19 }),
  })
  .meta({
    id: 'TaxRate',
    description: 'The tax on goods after discount and on shipping to a country, in percent.',
  });
