import type { DemoCategory } from './demo-product';

export const coffeeAndTea: DemoCategory = {
  name: 'Coffee and Tea',
  description: 'Beans, leaves and what makes a cup of them.',
  products: [
    {
      name: 'Burr Grinder',
      short: 'Hand grinder with steel burrs',
      description:
        'A hand grinder with conical steel burrs and forty stepped settings, from espresso to French press.',
      priceMinor: 9900,
      stock: 42,
      weightGrams: 620,
      size: [180, 70, 70],
      tags: ['coffee', 'steel'],
      attributes: { capacity: '30 g' },
      morePictures: 1,
    },
    {
      name: 'Moka Pot',
      short: 'Stovetop pot for strong coffee',
      description:
        'The classic pot of aluminium for the hob. Works on gas, electric and, with its steel plate, induction.',
      priceMinor: 3290,
      stock: null,
      variants: [
        { name: '3 cups', attributes: { size: '3 cups' }, stock: 70 },
        { name: '6 cups', attributes: { size: '6 cups' }, stock: 55, priceMinor: 3990 },
      ],
      weightGrams: 540,
      size: [170, 100, 200],
      tags: ['coffee', 'cooking'],
      attributes: { material: 'aluminium' },
    },
    {
      name: 'Gooseneck Kettle',
      short: 'Kettle with exact temperature',
      description:
        'A kettle that heats to the degree and holds it for an hour. The thin spout pours exactly where the water belongs.',
      priceMinor: 7490,
      stock: 38,
      weightGrams: 1200,
      size: [290, 170, 200],
      tags: ['coffee', 'tea', 'electric'],
      attributes: { capacity: '0.9 l', power: '1200 W' },
    },
    {
      name: 'House Espresso',
      short: 'Dark roast for espresso machines and moka pots',
      description:
        'A dark roast of Brazilian and Indian beans with notes of cocoa and hazelnut. Roasted every Tuesday and sent on Wednesday.',
      priceMinor: 1490,
      stock: null,
      variants: [
        { name: '500 g, whole beans', attributes: { weight: '500 g', grind: 'whole beans' }, stock: 90 },
        { name: '500 g, ground', attributes: { weight: '500 g', grind: 'ground' }, stock: 90 },
        {
          name: '1 kg, whole beans',
          attributes: { weight: '1 kg', grind: 'whole beans' },
          stock: 60,
          priceMinor: 2690,
        },
      ],
      weightGrams: 1000,
      size: [200, 110, 80],
      tags: ['coffee', 'beans'],
      attributes: { roast: 'dark' },
    },
    {
      name: 'Tea Chest',
      short: 'Twelve teas in a wooden chest',
      description:
        'Twelve loose teas from four countries in a chest of pine, with a steel strainer and a booklet on water and time.',
      priceMinor: 5490,
      stock: 25,
      weightGrams: 1300,
      size: [280, 210, 90],
      tags: ['tea', 'gift', 'wood'],
      attributes: { pieces: '12' },
    },
  ],
};
