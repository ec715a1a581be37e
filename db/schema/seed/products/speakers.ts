import type { DemoCategory } from './demo-product';

export const speakers: DemoCategory = {
  name: 'Speakers',
  description: 'For shelves, gardens and showers.',
  products: [
    {
      name: 'Shelf Speakers',
      short: 'Pair of active two-way speakers',
      description:
        'A pair of active two-way speakers with Bluetooth, optical and cinch inputs. Small enough for a shelf, grown-up enough for a living room.',
      priceMinor: 32900,
      stock: 18,
      weightGrams: 7600,
      size: [280, 170, 220],
      tags: ['hifi', 'bluetooth'],
      attributes: { power: '2 x 40 W', colour: 'white' },
      morePictures: 1,
    },
    {
      name: 'Garden Speaker',
      short: 'Weatherproof wireless speaker',
      description:
        'A wireless speaker that may stay outside: weatherproof, dust-proof, with eighteen hours of battery and a loop to hang it up.',
      priceMinor: 11900,
      stock: 40,
      weightGrams: 1100,
      size: [180, 110, 110],
      tags: ['wireless', 'bluetooth', 'outdoor'],
      attributes: { battery: '18 h', protection: 'IP67' },
    },
    {
      name: 'Shower Speaker',
      short: 'Floating speaker with a suction cup',
      description:
        'A small speaker that floats, sticks to tiles and plays for ten hours. Two of them pair to stereo.',
      priceMinor: 3990,
      stock: 90,
      weightGrams: 260,
      size: [90, 90, 50],
      tags: ['wireless', 'bluetooth'],
      attributes: { battery: '10 h', protection: 'IP67' },
    },
    {
      name: 'Kitchen Radio',
      short: 'Digital radio with a wooden case',
      description:
        'A digital radio for DAB+, FM and internet stations in a case of beech. Large buttons, a clear display and no app.',
      priceMinor: 14900,
      stock: 22,
      weightGrams: 1900,
      size: [270, 140, 160],
      tags: ['radio', 'wood'],
      attributes: { reception: 'DAB+, FM, internet' },
    },
    {
      name: 'Sound Bar Mini',
      short: 'Short sound bar for small rooms',
      description:
        'A sound bar only forty centimetres wide that makes voices clear. Sold out until the new batch has passed our tests.',
      priceMinor: 15900,
      status: 'OUT_OF_STOCK',
      stock: 0,
      weightGrams: 1600,
      size: [400, 90, 65],
      tags: ['tv', 'bluetooth'],
      attributes: { power: '60 W' },
    },
  ],
};
