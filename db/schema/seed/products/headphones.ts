import type { DemoCategory } from './demo-product';

export const headphones: DemoCategory = {
  name: 'Headphones',
  description: 'On, in and around the ear.',
  products: [
    {
      name: 'Quiet Wireless Headphones',
      short: 'Over-ear headphones with noise cancelling',
      description:
        'Wireless over-ear headphones with active noise cancelling and forty hours of battery. They fold flat and come with a hard case.',
      priceMinor: 19900,
      compareAtPriceMinor: 24900,
      stock: null,
      variants: [
        { name: 'Black', attributes: { colour: 'black' }, stock: 45 },
        { name: 'Sand', attributes: { colour: 'sand' }, stock: 30 },
        { name: 'Forest', attributes: { colour: 'forest' }, stock: 0 },
      ],
      weightGrams: 280,
      size: [200, 180, 80],
      tags: ['wireless', 'bluetooth', 'noise-cancelling'],
      attributes: { battery: '40 h', connection: 'Bluetooth 5.3' },
      morePictures: 2,
    },
    {
      name: 'Studio Headphones',
      short: 'Closed headphones for recording and mixing',
      description:
        'Closed studio headphones with an honest sound, a coiled cable of three metres and ear pads that can be changed.',
      priceMinor: 12900,
      stock: 35,
      weightGrams: 310,
      size: [210, 190, 90],
      tags: ['wired', 'studio'],
      attributes: { impedance: '80 ohm' },
    },
    {
      name: 'Pocket Earbuds',
      short: 'Small wireless earbuds for every day',
      description:
        'True wireless earbuds that sit lightly and last for six hours, twenty-four with the case. Splash-proof, so rain and sport are no worry.',
      priceMinor: 5900,
      compareAtPriceMinor: 6900,
      stock: 150,
      weightGrams: 60,
      size: [70, 50, 30],
      tags: ['wireless', 'bluetooth', 'sport'],
      attributes: { battery: '6 h', protection: 'IPX4' },
    },
    {
      name: 'Headphone Stand',
      short: 'Oak stand for one pair of headphones',
      description: 'A stand of solid oak, oiled by hand, with a felt foot that leaves no marks on the desk.',
      priceMinor: 3450,
      stock: 48,
      weightGrams: 700,
      size: [130, 110, 270],
      tags: ['wood', 'desk'],
      attributes: { material: 'oak' },
    },
    {
      name: 'Open Air Headphones',
      short: 'Open headphones for long evenings of listening',
      description:
        'Open-backed headphones with a wide stage and velvet pads. The last of this series: the next one comes in spring.',
      priceMinor: 27900,
      stock: 1,
      weightGrams: 330,
      size: [220, 200, 100],
      tags: ['wired', 'hifi'],
      attributes: { impedance: '250 ohm' },
    },
  ],
};
