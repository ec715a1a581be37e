import type { DemoCategory } from './demo-product';
import { headphones } from './headphones';
import { speakers } from './speakers';

export const audio: DemoCategory = {
  name: 'Audio',
  description: 'Listening and recording, from records to microphones.',
  products: [
    {
      name: 'Turntable One',
      short: 'Belt-driven turntable with a built-in preamplifier',
      description:
        'A belt-driven turntable for 33 and 45 rpm. The preamplifier is built in, so it plays on any pair of active speakers without further equipment.',
      priceMinor: 24900,
      compareAtPriceMinor: 29900,
      stock: 14,
      weightGrams: 5200,
      size: [420, 350, 130],
      tags: ['vinyl', 'hifi'],
      attributes: { colour: 'walnut', speeds: '33, 45 rpm' },
      morePictures: 1,
    },
    {
      name: 'Desk Microphone',
      short: 'USB microphone for calls and podcasts',
      description:
        'A condenser microphone with a cardioid pattern that hears the speaker and not the keyboard. Plugs in by USB and needs no driver.',
      priceMinor: 8900,
      stock: 60,
      weightGrams: 640,
      size: [110, 110, 260],
      tags: ['usb', 'podcast'],
      attributes: { colour: 'black', connection: 'USB-C' },
    },
    {
      name: 'Vinyl Care Kit',
      short: 'Brush, cloth and fluid for clean records',
      description:
        'A carbon-fibre brush, a microfibre cloth and 200 ml of cleaning fluid take dust and static off records before every play.',
      priceMinor: 2450,
      stock: 200,
      weightGrams: 420,
      size: [200, 120, 70],
      tags: ['vinyl', 'care'],
      attributes: { pieces: '3' },
    },
    {
      name: 'Audio Cable',
      short: 'Shielded stereo cable with gold-plated plugs',
      description: 'A shielded stereo cable, 3.5 mm to two cinch plugs, that keeps hum out of long runs.',
      priceMinor: 1290,
      stock: null,
      variants: [
        { name: '1 m', attributes: { length: '1 m' }, stock: 120 },
        { name: '3 m', attributes: { length: '3 m' }, stock: 80, priceMinor: 1690 },
        { name: '5 m', attributes: { length: '5 m' }, stock: 40, priceMinor: 1990 },
      ],
      weightGrams: 150,
      size: [160, 120, 30],
      tags: ['cable', 'hifi'],
      attributes: { connection: '3.5 mm, cinch' },
    },
    {
      name: 'Tape Deck 80',
      short: 'Cassette deck, restored by hand',
      description:
        'A cassette deck of the eighties, cleaned, aligned and fitted with new belts in our workshop. Each one is checked for a day before it leaves.',
      priceMinor: 34900,
      stock: 2,
      weightGrams: 4800,
      size: [430, 300, 120],
      tags: ['vintage', 'hifi'],
      attributes: { condition: 'restored' },
    },
  ],
  children: [headphones, speakers],
};
