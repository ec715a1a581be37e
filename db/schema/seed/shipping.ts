import { getAlpha2Codes } from 'i18n-iso-countries';
import type { Tx } from '../../sql/query';
import { addRows, isEmpty, seedId } from './rows';
import type { SeedStep, SeedOptions } from './step';
import { EU_COUNTRIES } from './taxes';

const NORTH_AMERICA = ['US', 'CA', 'MX'];
/** Countries without inhabitants or without carriers. */
const NOWHERE = ['AQ', 'BV', 'GS', 'HM', 'IO', 'KP', 'TF', 'UM'];
const ELSEWHERE = Object.keys(getAlpha2Codes()).filter(
  (country) => ![...EU_COUNTRIES, ...NORTH_AMERICA, ...NOWHERE].includes(country),
);

const ZONES = {
  'European Union': EU_COUNTRIES,
  'North America': NORTH_AMERICA,
  'Rest of the world': ELSEWHERE,
};

/** Base price and price per kilogram, in cents; a method doesn't go to zones that it doesn't name. */
type Rates = Partial<Record<keyof typeof ZONES, readonly [baseMinor: number, perKgMinor: number]>>;

interface Method {
  name: string;
  carrier: string;
  description: string;
  days: readonly [min: number, max: number];
  freeThresholdMinor: number | null;
  trackingUrlTemplate: string | null;
  rates: Rates;
}

const METHODS: readonly Method[] = [
  {
    name: 'Standard',
    carrier: 'Parcel Post',
    description: 'Tracked parcel, handed over at the door. Free from 100 USD.',
    days: [3, 6],
    freeThresholdMinor: 100_00,
    trackingUrlTemplate: 'https://parcel-post.example.com/track/{trackingNumber}',
    rates: {
      'European Union': [4_90, 50],
      'North America': [9_90, 1_50],
      'Rest of the world': [14_90, 3_00],
    },
  },
  {
    name: 'Express',
    carrier: 'Swift Courier',
    description: 'By courier, signed for, within two working days where flights allow.',
    days: [1, 2],
    freeThresholdMinor: null,
    trackingUrlTemplate: 'https://swift-courier.example.com/{trackingNumber}',
    rates: {
      'European Union': [12_90, 1_50],
      'North America': [24_90, 3_50],
      'Rest of the world': [39_90, 6_00],
    },
  },
  {
    name: 'Economy',
    carrier: 'Parcel Post',
    description: 'The cheapest way, without tracking.',
    days: [6, 12],
    freeThresholdMinor: null,
    trackingUrlTemplate: null,
    rates: { 'European Union': [2_90, 30], 'North America': [6_90, 1_00] },
  },
];

const zoneId = (name: string): string => seedId(`shipping-zone:${name}`);
const methodId = ({ name }: Method): string => seedId(`shipping-method:${name}`);

export const shipping: SeedStep = {
  title: 'shipping',
  isMissing: async (tx) => (await isEmpty(tx, 'shipping_methods')) && (await isEmpty(tx, 'shipping_zones')),
  async add(tx, options) {
    await addZones(tx);
    await addMethods(tx, options);
  },
};

async function addZones(tx: Tx): Promise<void> {
  const zones = Object.entries(ZONES);
  await addRows(
    tx,
    'shipping_zones',
    zones.map(([name]) => ({ id: zoneId(name), name })),
  );
  await addRows(
    tx,
    'shipping_zone_countries',
    zones.flatMap(([name, countries]) => countries.map((country) => ({ country, zone_id: zoneId(name) }))),
  );
}

async function addMethods(tx: Tx, { at }: SeedOptions): Promise<void> {
  const methods = METHODS.map((method, position) => ({
    id: methodId(method),
    name: method.name,
    carrier: method.carrier,
    description: method.description,
    min_days: method.days[0],
    max_days: method.days[1],
    currency: 'USD',
    free_threshold_minor: method.freeThresholdMinor,
    tracking_url_template: method.trackingUrlTemplate,
    is_active: true,
    position,
    created_at: at,
    updated_at: at,
  }));
  await addRows(tx, 'shipping_methods', methods);
  const rates = METHODS.flatMap((method) =>
    Object.entries(method.rates).map(([zone, [baseMinor, perKgMinor]]) => ({
      method_id: methodId(method),
      zone_id: zoneId(zone),
      base_minor: baseMinor,
      per_kg_minor: perKgMinor,
    })),
  );
  await addRows(tx, 'shipping_rates', rates);
}
