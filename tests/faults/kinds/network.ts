import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultContext } from '../fault';
import type { Proxy } from '../platform/proxy';
import type { LinkName } from '../platform/stack';

const ways = {
  'to the platform': ['front', 'webhooks'],
  'to PostgreSQL': ['apiDatabase', 'workerDatabase'],
  'to Temporal': ['apiTemporal', 'workerTemporal'],
} as const satisfies Record<string, readonly LinkName[]>;
type Where = keyof typeof ways;
const places = Object.keys(ways) as Where[];

/** One of the two links, or both. */
function chosenLinks({ stack, random }: FaultContext, where: Where): Proxy[] {
  const [first, second] = ways[where];
  return random.pick([[first], [second], [first, second]]).map((name) => stack.links[name]);
}

/** Disturbs links for a few seconds while people buy. */
const disturbing = (
  what: string,
  where: Where,
  disturb: (link: Proxy, context: FaultContext) => void,
  [least, most]: [number, number] = [1_000, 5_000],
): Fault => ({
  name: `${what} ${where}`,
  async inject(context) {
    const { random } = context;
    const links = chosenLinks(context, where);
    await pause(random.int(300, 2_000));
    for (const link of links) disturb(link, context);
    await pause(random.int(least, most));
    for (const link of links) link.heal();
  },
});

/** The percentage of chunks after which their connection ends. */
const betrayed: Record<Where, number> = { 'to the platform': 30, 'to PostgreSQL': 2, 'to Temporal': 4 };

/** Faults of the network between healthy parts. */
export const network: readonly Fault[] = places.flatMap((where) => [
  disturbing('slow way', where, (link, { random }) => {
    const most = random.int(20, 300);
    link.slow(() => random.int(0, most));
  }),
  disturbing('reset after the request was sent', where, (link, { random }) =>
    link.betray(() => random.chance(betrayed[where] / 100)),
  ),
  disturbing('half-open connections', where, (link) => link.lose()),
  disturbing('no way', where, (link) => link.cut(), [500, 6_000]),
  disturbing('held answers', where, (link) => link.hold('down')),
]);
