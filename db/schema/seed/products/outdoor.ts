import type { DemoCategory } from './demo-product';
import { camping } from './camping';

export const outdoor: DemoCategory = {
  name: 'Outdoor',
  description: 'For days under the open sky.',
  products: [
    {
      name: 'Day Pack 22',
      short: 'Backpack for a day on the trail',
      description:
        'A light backpack of 22 litres with a rain cover, a pocket for a water bladder and straps that breathe.',
      priceMinor: 7900,
      stock: null,
      variants: [
        { name: 'Blue', attributes: { colour: 'blue' }, stock: 35 },
        { name: 'Moss', attributes: { colour: 'moss' }, stock: 35 },
      ],
      weightGrams: 780,
      size: [480, 280, 120],
      tags: ['bag', 'hiking'],
      attributes: { volume: '22 l' },
      morePictures: 1,
    },
    {
      name: 'Steel Bottle',
      short: 'Insulated bottle that keeps its word',
      description:
        'A bottle of stainless steel that keeps tea hot for twelve hours and water cold for a day. No plastic touches what you drink.',
      priceMinor: 2990,
      stock: 180,
      weightGrams: 380,
      size: [75, 75, 260],
      tags: ['steel', 'hiking', 'tea'],
      attributes: { volume: '0.75 l' },
    },
    {
      name: 'Rain Jacket',
      short: 'Light jacket for heavy rain',
      description:
        'A jacket of recycled fabric with taped seams and pit zips that packs into its own pocket.',
      priceMinor: 13900,
      stock: null,
      variants: [
        { name: 'S', attributes: { size: 'S' }, stock: 12 },
        { name: 'M', attributes: { size: 'M' }, stock: 20 },
        { name: 'L', attributes: { size: 'L' }, stock: 20 },
        { name: 'XL', attributes: { size: 'XL' }, stock: 8 },
      ],
      weightGrams: 340,
      size: [280, 200, 60],
      tags: ['textile', 'hiking'],
      attributes: { material: 'recycled polyamide' },
    },
    {
      name: 'Head Lamp',
      short: 'Rechargeable lamp with a red light',
      description:
        'A rechargeable head lamp of 400 lumens with a wide beam, a far beam and a red light that spares the eyes of others.',
      priceMinor: 4490,
      stock: 75,
      weightGrams: 95,
      size: [70, 50, 45],
      tags: ['electric', 'hiking', 'camping'],
      attributes: { battery: '60 h', light: '400 lm' },
    },
    {
      name: 'Trail Boots',
      short: 'Boots for rough ground',
      description:
        'Leather boots with a stiff sole for rough ground. We are taking them out of the range: spare laces and soles stay available.',
      priceMinor: 17900,
      status: 'ARCHIVED',
      stock: 0,
      weightGrams: 1400,
      size: [350, 230, 130],
      tags: ['hiking', 'leather'],
      attributes: { material: 'leather' },
    },
  ],
  children: [camping],
};
