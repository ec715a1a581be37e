import type { DemoCategory } from './demo-product';

export const camping: DemoCategory = {
  name: 'Camping',
  description: 'And for the nights there.',
  products: [
    {
      name: 'Two-Person Tent',
      short: 'Free-standing tent of 2.1 kg',
      description:
        'A free-standing tent for two with two doors and two porches. Up in four minutes, dry in a storm, small in the pack.',
      priceMinor: 28900,
      compareAtPriceMinor: 32900,
      stock: 16,
      weightGrams: 2100,
      size: [460, 160, 160],
      tags: ['tent', 'hiking'],
      attributes: { persons: '2', 'water column': '3000 mm' },
      morePictures: 2,
    },
    {
      name: 'Gas Stove',
      short: 'Folding stove for one pot',
      description:
        'A stove that folds to the size of a fist and boils a litre in three minutes. Fits every threaded cartridge.',
      priceMinor: 4990,
      stock: 58,
      weightGrams: 110,
      size: [90, 60, 50],
      tags: ['cooking', 'steel'],
      attributes: { power: '2800 W' },
    },
    {
      name: 'Sleeping Mat',
      short: 'Self-inflating mat, 5 cm',
      description: 'A self-inflating mat with an R-value of 4, warm enough from March to October.',
      priceMinor: 8490,
      stock: 33,
      weightGrams: 720,
      size: [260, 170, 170],
      tags: ['textile'],
      attributes: { thickness: '5 cm' },
    },
    {
      name: 'Camp Lantern',
      short: 'Dimmable lantern with a power bank',
      description:
        'A lantern with warm light from a candle to a room, which charges a phone twice when the evening is over.',
      priceMinor: 3990,
      stock: 64,
      weightGrams: 330,
      size: [90, 90, 130],
      tags: ['electric', 'outdoor'],
      attributes: { battery: '30 h' },
    },
    {
      name: 'Hammock Set',
      short: 'Hammock with straps that spare the trees',
      description:
        'A hammock of parachute silk with wide straps. Still being tested, and so not on sale yet.',
      priceMinor: 6990,
      status: 'DRAFT',
      stock: 20,
      weightGrams: 650,
      size: [200, 130, 100],
      tags: ['textile'],
      attributes: { load: '150 kg' },
    },
  ],
};
