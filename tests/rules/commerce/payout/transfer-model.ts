import type {
  Fate,
  TRANSFER_MOVES,
  TransferCommand,
  TransferState,
} from '../../../../workflows/commerce/payout/transfer/transfer-moves.rules';

export type Table = typeof TRANSFER_MOVES;

/** A key at the provider. `isKnown`: false once it has forgotten it. `isInFlight`: a call under it has not come to it yet. */
interface Key {
  transfer: 'NONE' | 'PENDING' | 'SENT' | 'REFUSED';
  isKnown: boolean;
  isInFlight: boolean;
  /** True if the attempt ended without the provider's word. */
  isUnproven: boolean;
  /** The times that it was carried out. */
  sent: number;
}

/** The records of a transfer, and the facts. */
export interface World {
  state: TransferState;
  /** The last attempt; its key is the last of `keys`. */
  keys: Key[];
  /** Of an attempt that is ASKED: how long ago; too early to tell, certain, or longer than the provider remembers. */
  age: 0 | 1 | 2;
  /** The attempt that was claimed, and whose call is not made yet. */
  claimed: number | null;
  /** The times that a person has sent it. */
  byHand: number;
  /** The attempt by which it is SENT. */
  booked: number | 'BY_HAND' | null;
  /** True once it is known that money left twice. */
  twice: boolean;
}

/** `honest`: providers carry out only what they said, calls arrive in time, and people know what they say. */
export type Words = 'honest' | 'false words';

export interface Step {
  /** Of the table: command, state, fate; left out for a step of the world. */
  move?: string;
  world: World;
}

const ATTEMPTS = 2;
const NEW_KEY: Key = { transfer: 'NONE', isKnown: true, isInFlight: false, isUnproven: false, sent: 0 };
const NOTHING = { age: 0, claimed: null, byHand: 0, booked: null, twice: false } as const;
export const START: World = { state: 'DUE', keys: [NEW_KEY], ...NOTHING };

const withKey = (world: World, n: number, change: Partial<Key>): World => ({
  ...world,
  keys: world.keys.map((key, index) => (index === n ? { ...key, ...change } : key)),
});

export const last = ({ keys }: World): number => keys.length - 1;

/** The results that a look-up may have now, and by which attempt. */
function fatesOf(world: World): { fate: Fate; by?: number }[] {
  const unreachable = { fate: 'UNREACHABLE' } as const;
  const isAsked = world.state === 'ASKED';
  const known = ({ isKnown, transfer }: Key): boolean => isKnown && transfer !== 'NONE';
  if (!isAsked) {
    // What the provider refused is certain, and is not looked up.
    const isFound = (key: Key): boolean => key.isUnproven && known(key);
    const by = world.keys.findLastIndex((key) => isFound(key) && key.transfer === 'SENT');
    if (by !== -1) return [{ fate: 'SENT', by }, unreachable];
    const isUnderWay = world.keys.some((key) => isFound(key) && key.transfer === 'PENDING');
    return [{ fate: isUnderWay ? 'UNDER_WAY' : 'NOT_ASKED' }, unreachable];
  }
  const key = world.keys[last(world)]!;
  if (!known(key))
    return [{ fate: (['TOO_EARLY', 'NOT_FOUND', 'FORGOTTEN'] as const)[world.age] }, unreachable];
  if (key.transfer === 'PENDING') return [{ fate: 'UNDER_WAY' }, { fate: 'TAKEN_BACK' }, unreachable];
  return [{ fate: key.transfer === 'SENT' ? 'SENT' : 'REFUSED', by: last(world) }, unreachable];
}

/** True if a person who knows what is so would say this of a transfer that the provider has forgotten. */
function isSo(world: World, command: TransferCommand): boolean {
  const { sent, transfer, isInFlight } = world.keys[last(world)]!;
  const isDone = sent > 0;
  return command === 'SETTLE_DONE' ? isDone : !isDone && transfer !== 'PENDING' && !isInFlight;
}

const SETTLING = ['SETTLE_DONE', 'SETTLE_REFUSED'] as const;
const COMMANDS = ['SEND', 'ABANDON', ...SETTLING, 'PROCESS', 'PROCESS_BY_HAND', 'CANCEL'] as const;

/** The world once an attempt has left ASKED unsent: one that no word of the provider ended is unproven. */
function ended(world: World, to: TransferState, fate: Fate): World {
  if (fate === 'TAKEN_BACK') return withKey(world, last(world), { transfer: 'REFUSED' });
  const isUnproven = (fate === 'NOT_FOUND' || fate === 'FORGOTTEN') && (to === 'FAILED' || to === 'BY_HAND');
  return isUnproven ? withKey(world, last(world), { isUnproven }) : world;
}

/** The world after a command that the table allows; null: nobody gives it now. */
function commanded(
  world: World,
  { command, to, fate, by }: { command: TransferCommand; to: TransferState; fate: Fate; by?: number },
  words: Words,
): World | null {
  const { state } = world;
  const isSettled = command === 'SETTLE_DONE' || command === 'SETTLE_REFUSED';
  if (fate === 'FORGOTTEN' && isSettled && words === 'honest' && !isSo(world, command)) return null;
  // A person who settles it by hand as DONE has sent it, and as REFUSED has not.
  const isWired = state === 'BY_HAND' && world.byHand > 0;
  if (isSettled && state === 'BY_HAND' && isWired !== (command === 'SETTLE_DONE')) return null;
  const next = ended(world, to, fate);
  if (to === 'SENT')
    return {
      ...{ ...next, state: to, booked: by ?? (state === 'BY_HAND' ? 'BY_HAND' : last(world)) },
      // The person who has sent it as well is told.
      twice: world.twice || (by !== undefined && isWired),
    };
  if (command === 'PROCESS' || command === 'PROCESS_BY_HAND')
    return world.keys.length === ATTEMPTS ? null : { ...next, state: to, keys: [...next.keys, NEW_KEY] };
  if (command !== 'SEND' || to !== 'ASKED') return { ...next, state: to };
  // A call that was claimed before, by a worker that is slow, is on its way.
  const slow = world.claimed === null ? next : withKey(next, world.claimed, { isInFlight: true });
  return { ...slow, state: to, age: 0, claimed: last(world) };
}

/** The worlds after a call under a key has come to the provider, which carries out each key once while it knows it. */
function landed(world: World, n: number): World[] {
  const key = world.keys[n]!;
  if (key.isKnown && key.transfer !== 'NONE') return [world];
  const after = (transfer: Key['transfer']): World =>
    withKey(world, n, { transfer, isKnown: true, sent: key.sent + (transfer === 'SENT' ? 1 : 0) });
  return [after('PENDING'), after('SENT'), after('REFUSED')];
}

/** The fates of calls: made and answered, made and the answer lost, lost on the way, or never made since the worker died. */
function calls(table: Table, world: World, words: Words): Step[] {
  const { claimed, keys, state, age } = world;
  const steps: Step[] = [];
  if (claimed !== null) {
    const free = { ...world, claimed: null };
    for (const after of landed(free, claimed)) {
      steps.push({ world: after });
      const to = table.SEND.ASKED?.REFUSED;
      const isAnswered = state === 'ASKED' && claimed === last(world) && keys[claimed]!.transfer === 'NONE';
      if (to && isAnswered && after.keys[claimed]!.transfer === 'REFUSED')
        steps.push({ move: 'SEND ASKED REFUSED', world: { ...after, state: to } });
    }
    steps.push({ world: free }, { world: withKey(free, claimed, { isInFlight: true }) });
  }
  keys.forEach(({ isInFlight }, n) => {
    const isInTime = n === last(world) && state === 'ASKED' && age === 0;
    if (!isInFlight || !(isInTime || words === 'false words')) return;
    for (const after of landed(withKey(world, n, { isInFlight: false }), n)) steps.push({ world: after });
  });
  return steps;
}

/** Events at the provider, with people, and with time. */
function happenings(world: World, words: Words): Step[] {
  const { keys, state, age, byHand } = world;
  const worlds: World[] = [];
  keys.forEach(({ transfer, isKnown, sent }, n) => {
    const isCurrent = n === last(world) && state === 'ASKED';
    const carriedOut = { transfer: 'SENT', sent: sent + 1 } as const;
    if (transfer === 'PENDING') worlds.push(withKey(world, n, carriedOut));
    if (transfer === 'PENDING') worlds.push(withKey(world, n, { transfer: 'REFUSED' }));
    if (transfer === 'REFUSED' && words === 'false words') worlds.push(withKey(world, n, carriedOut));
    if (isKnown && transfer !== 'NONE' && (!isCurrent || age === 2)) worlds.push(forgotten(world, n, words));
  });
  if (state === 'BY_HAND' && byHand === 0) worlds.push({ ...world, byHand: 1 });
  if (state === 'ASKED' && age < 2) worlds.push(aged(world, words));
  return worlds.map((after) => ({ world: after }));
}

/** Of a key that the provider has forgotten; by then every call under it has arrived, or is lost. */
const forgotten = (world: World, n: number, words: Words): World =>
  words === 'false words'
    ? withKey(world, n, { isKnown: false })
    : {
        ...withKey(world, n, { isKnown: false, isInFlight: false }),
        claimed: world.claimed === n ? null : world.claimed,
      };

/** Later; with honest words, no call is on the way any more. */
function aged(world: World, words: Words): World {
  const age = world.age === 0 ? 1 : 2;
  if (words === 'false words') return { ...world, age };
  const keys = world.keys.map((key) => ({ ...key, isInFlight: false }));
  return { ...world, age, claimed: null, keys };
}

/** Every step that may come next. */
export function stepsOf(table: Table, world: World, words: Words): Step[] {
  const steps = [...calls(table, world, words), ...happenings(world, words)];
  for (const { fate, by } of fatesOf(world))
    for (const command of COMMANDS) {
      const to = table[command][world.state]?.[fate];
      const by_ = by !== undefined && fate === 'SENT' ? { by } : {};
      const after = to && commanded(world, { command, to, fate, ...by_ }, words);
      if (after) steps.push({ move: `${command} ${world.state} ${fate}`, world: after });
    }
  return steps;
}
