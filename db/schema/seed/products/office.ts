import type { DemoCategory } from './demo-product';

export const office: DemoCategory = {
  name: 'Office',
  description: 'A good place to work, at home or elsewhere.',
  products: [
    {
      name: 'Standing Desk',
      short: 'Height-adjustable desk with a bamboo top',
      description:
        'An electric desk that moves from 65 to 130 cm, remembers four heights and stops when it meets something.',
      priceMinor: 49900,
      compareAtPriceMinor: 54900,
      stock: 9,
      weightGrams: 38000,
      size: [1500, 780, 160],
      tags: ['desk', 'electric', 'wood'],
      attributes: { top: '140 x 70 cm' },
    },
    {
      name: 'Mechanical Keyboard',
      short: 'Compact keyboard with quiet switches',
      description:
        'A compact keyboard with quiet tactile switches, wireless and by cable, for two computers at once.',
      priceMinor: 11900,
      stock: null,
      variants: [
        { name: 'German layout', attributes: { layout: 'DE' }, stock: 25 },
        { name: 'US layout', attributes: { layout: 'US' }, stock: 40 },
      ],
      weightGrams: 820,
      size: [330, 150, 45],
      tags: ['wireless', 'bluetooth', 'usb', 'desk'],
      attributes: { switches: 'quiet tactile' },
      morePictures: 1,
    },
    {
      name: 'Desk Lamp',
      short: 'Lamp with warm and cool light',
      description: 'A lamp with an arm that stays where it is put and light from warm to cool at a turn.',
      priceMinor: 8450,
      stock: 44,
      weightGrams: 1800,
      size: [450, 200, 120],
      tags: ['desk', 'electric'],
      attributes: { light: '900 lm' },
    },
    {
      name: 'Dotted Notebook',
      short: 'Notebook that lies flat',
      description:
        'Two hundred numbered pages of heavy dotted paper, sewn so that the book lies flat from the first page.',
      priceMinor: 1890,
      stock: null,
      variants: [
        { name: 'Grey', attributes: { colour: 'grey' }, stock: 140 },
        { name: 'Ochre', attributes: { colour: 'ochre' }, stock: 140 },
      ],
      weightGrams: 360,
      size: [215, 150, 20],
      tags: ['paper'],
      attributes: { format: 'A5' },
    },
    {
      name: 'Gift Card',
      short: 'A present for those who have everything',
      description:
        'A card worth fifty dollars in the shop, sent by e-mail at once. It never runs out of stock and never expires.',
      priceMinor: 5000,
      stock: null,
      weightGrams: null,
      size: null,
      tags: ['gift', 'digital'],
      attributes: { delivery: 'e-mail' },
    },
  ],
};
