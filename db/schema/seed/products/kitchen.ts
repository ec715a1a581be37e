import type { DemoCategory } from './demo-product';
import { coffeeAndTea } from './coffee-and-tea';

export const kitchen: DemoCategory = {
  name: 'Kitchen',
  description: 'Tools for cooking that outlast fashions.',
  products: [
    {
      name: "Chef's Knife",
      short: 'Forged knife with a blade of 20 cm',
      description:
        'A forged knife of stainless steel with a handle of walnut. Holds its edge for months and takes a new one easily.',
      priceMinor: 8900,
      stock: 65,
      weightGrams: 260,
      size: [340, 50, 30],
      tags: ['steel', 'cooking'],
      attributes: { blade: '20 cm', handle: 'walnut' },
    },
    {
      name: 'Cast Iron Pan',
      short: 'Seasoned pan for a lifetime',
      description:
        'A cast iron pan, seasoned with linseed oil and ready to use on every hob, in the oven and over a fire.',
      priceMinor: 4900,
      stock: null,
      variants: [
        { name: '24 cm', attributes: { diameter: '24 cm' }, stock: 50 },
        { name: '28 cm', attributes: { diameter: '28 cm' }, stock: 40, priceMinor: 5900 },
      ],
      weightGrams: 2400,
      size: [450, 270, 60],
      tags: ['cooking', 'outdoor'],
      attributes: { material: 'cast iron' },
    },
    {
      name: 'Oak Cutting Board',
      short: 'End-grain board with a juice groove',
      description: 'A heavy board of end-grain oak that is kind to knives. Rubber feet keep it in place.',
      priceMinor: 6450,
      stock: 30,
      weightGrams: 3100,
      size: [400, 300, 40],
      tags: ['wood', 'cooking'],
      attributes: { material: 'oak' },
    },
    {
      name: 'Linen Kitchen Towels',
      short: 'Set of three towels of washed linen',
      description:
        'Three towels of washed linen that dry fast, leave no lint and get softer with every wash.',
      priceMinor: 2990,
      stock: 110,
      weightGrams: 420,
      size: [300, 220, 50],
      tags: ['linen', 'textile'],
      attributes: { pieces: '3', size: '50 x 70 cm' },
    },
    {
      name: 'Hand Blender',
      short: 'Strong blender with three tools',
      description:
        'A hand blender of 800 watts with a whisk, a chopper and a measuring cup. The foot comes off for the dishwasher.',
      priceMinor: 7900,
      stock: 0,
      weightGrams: 1500,
      size: [400, 120, 120],
      tags: ['electric', 'cooking'],
      attributes: { power: '800 W' },
    },
  ],
  children: [coffeeAndTea],
};
