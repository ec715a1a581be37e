import { endpoints } from '../../../api/endpoints';
import type { Endpoint } from '../../../api/http/endpoint';
import type { Identified, Resource } from '../../../api/http/request/ids/identified';
import { made } from '../../support/resources';
import type { Ground, Person } from '../../support/resources/ground';
import { another, type Place } from '../../support/resources/make';
import { fittingName, identifiedIn, isAdministration } from '../bindings';

/** Existing ids, codes and amounts by kind, so that fuzzing gets past NOT_FOUND. */
export type Dictionaries = Readonly<Record<string, readonly (string | number)[]>>;

type Filling = Record<string, (string | number)[]>;

/** The people of one role: each thing of others is another person's. */
interface People {
  caller: Person;
  ownerOfNext: () => Place['owner'];
}

/** The number of things of each kind: requests may remove some. */
const SPARE = 3;
/** Fewer where a person may have only some that wait. */
const FEWER: Partial<Record<Resource, number>> = { 'top-up': 1 };

/** Made after others that would use them up, or need that there is none: a file takes all transfers. */
const LAST: readonly Resource[] = ['payment difference', 'collected transfer'];

/** All that the endpoint's requests identify, in their order. */
const allIn = (endpoint: Endpoint) =>
  (['path', 'query', 'body'] as const).flatMap((location) => identifiedIn(endpoint, location));

/** Makes some of everything that an endpoint names, in the states in which it succeeds: the buyer's own, and others'. */
export async function existingIn(
  ground: Ground,
  { buyer, admin }: { buyer: Person; admin: Person },
): Promise<Dictionaries> {
  const filling: Filling = {};
  const isLast = (endpoint: Endpoint): number =>
    Number(allIn(endpoint).some(({ identified }) => LAST.includes(identified.resource)));
  const inOrder = [...endpoints].sort((one, other) => isLast(one) - isLast(other));
  const fillAll = async (some: readonly Endpoint[], caller: Person, ownerOfNext: () => Place['owner']) => {
    for (const endpoint of some) await fill(ground, endpoint, filling, { caller, ownerOfNext });
  };
  await Promise.all([
    fillAll(
      inOrder.filter((endpoint) => !isAdministration(endpoint)),
      buyer,
      () => () => Promise.resolve(buyer),
    ),
    fillAll(inOrder.filter(isAdministration), admin, () => another(ground)),
  ]);
  return filling;
}

/** Fills the dictionaries of an endpoint that are empty yet; things of the same place in them belong together. */
async function fill(ground: Ground, endpoint: Endpoint, filling: Filling, people: People): Promise<void> {
  const within: Place['within'][] = Array.from({ length: SPARE }, () => ({}));
  for (const { identified, name: dictionary } of allIn(endpoint)) {
    if (!filling[dictionary]) await fillOne(ground, identified, dictionary, { filling, people, within });
    within.forEach((place, n) => (place[identified.resource] = String(filling[dictionary]?.[n])));
  }
}

async function fillOne(
  ground: Ground,
  identified: Identified,
  dictionary: string,
  { filling, people, within }: { filling: Filling; people: People; within: Place['within'][] },
): Promise<void> {
  // The newest comes first: another payout of the buyer ends the one before.
  const places = within.slice(0, FEWER[identified.resource]);
  for (const place of places.reverse()) {
    const { id, fields } = await made(ground, identified, {
      ...{ caller: people.caller, owner: people.ownerOfNext(), within: place },
    });
    (filling[dictionary] ??= []).unshift(id);
    for (const [name, value] of Object.entries(fields)) {
      // An empty dictionary: the body lacks the field.
      const fitting = (filling[fittingName(dictionary, name)] ??= []);
      if (typeof value === 'string' || typeof value === 'number') fitting.unshift(value);
    }
  }
}
