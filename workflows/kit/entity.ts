import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { condition, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { refusalIn } from '../errors';
import type { EntityOptions, Lifecycle, Next, UpdateOptions } from './lifecycle';
import { parkingFor, type Parking } from './parking';
import { millisecondsUntil, oneAtATime, timeoutUntil } from './proxies';
import { Answers } from './waiting/answers';
import { isContinued, renewalTime } from './waiting/renewal';

/** An update that its validator refuses leaves no trace, so the process that it started must end by itself. */
const OPENING_WINDOW = '10 minutes';

/**
 * A long-lived process about one thing, whose state the database guards. The process holds a copy, and reads it again after
 * a signal, an update or an unknown outcome. Updates run one at a time. Register handlers first, then call `follow`.
 */
export class Entity<State> {
  readonly parking: Parking;
  private readonly serially = oneAtATime();
  private known: State | null | undefined;
  /** Counts the reasons to read the state again; the copy is current when `readAt` equals it. */
  private revision = 0;
  private readAt = 0;
  private readonly answers = new Answers();
  /** True if an update has arrived that may open the process: one from `opens`, or any if there is none. */
  private opened = false;
  private hasOpener = false;

  constructor(private readonly options: EntityOptions<State>) {
    this.known = options.state;
    this.parking = parkingFor(options.id, { renew: () => this.renew(), answers: this.answers });
  }

  /** The state as last read or answered; undefined before the first read, null if there is no row. */
  get state(): State | null | undefined {
    return this.known;
  }

  /** Registers an update that opens the process; register it first. If it is refused, there is no row to read. */
  opens<Answer, Command>(
    update: UpdateDefinition<Answer, [Command]>,
    carryOut: (command: Command) => Promise<Answer>,
    options: UpdateOptions<State, Answer, Command> = {},
  ): void {
    this.hasOpener = true;
    this.registerUpdate(update, carryOut, options, true);
  }

  /** Registers an update that decides something about an open process. */
  decides<Answer, Command>(
    update: UpdateDefinition<Answer, [Command]>,
    carryOut: (command: Command) => Promise<Answer>,
    options: UpdateOptions<State, Answer, Command> = {},
  ): void {
    this.registerUpdate(update, carryOut, options, false);
  }

  /** Registers a signal that the row has changed; the process then reads it again. */
  hears(signal: SignalDefinition, description: string): void {
    setHandler(signal, () => this.readAgain(), { description });
  }

  /** Runs a step when no update is running; once its retries are used up, it waits for an operator. */
  step<T>(doing: string, run: () => Promise<T>): Promise<T> {
    return this.parking.step(doing, () => this.serially(run));
  }

  /** Runs a step that returns the new state. */
  move(doing: string, run: () => Promise<State>): Promise<void> {
    return this.step(doing, async () => void (this.known = await run()));
  }

  /** Runs a step after which the state is read again. */
  async change(doing: string, run: () => Promise<unknown>): Promise<void> {
    await this.step(doing, run);
    this.readAgain();
  }

  /** Marks the copy of the state as outdated. */
  readAgain(): void {
    this.revision++;
  }

  /** Runs until the process has ended and every update is answered. */
  async follow<Result extends string>(lifecycle: Lifecycle<State, Result>): Promise<Result> {
    if (this.known === undefined && !this.options.exists && !isContinued())
      await condition(() => this.opened, OPENING_WINDOW, { summary: 'waiting to be opened' });
    const result = await this.untilClosed(lifecycle);
    setCurrentDetails(lifecycle.closing[result]);
    this.parking.goesOn();
    await this.answers.recorded();
    return result;
  }

  private registerUpdate<Answer, Command>(
    update: UpdateDefinition<Answer, [Command]>,
    carryOut: (command: Command) => Promise<Answer>,
    { stateIn, complete, ...handler }: UpdateOptions<State, Answer, Command>,
    opening: boolean,
  ): void {
    const inTurn = async (command: Command): Promise<Answer> => {
      try {
        const answer = await carryOut(command);
        if (stateIn === undefined) this.readAgain();
        else if (stateIn !== 'unchanged') this.known = stateIn(answer);
        return answer;
      } catch (error) {
        // Any error but a refusal is an unknown outcome: the step may have been committed.
        if (!refusalIn(error)) this.readAgain();
        else if (opening && this.known === undefined && this.revision === this.readAt) this.known = null;
        throw error;
      }
    };
    const handle = async (command: Command): Promise<Answer> => {
      if (opening || !this.hasOpener) this.opened = true;
      const answer = await this.serially(() => inTurn(command));
      return complete ? await complete(answer) : answer;
    };
    setHandler(update, this.answers.counted(handle), handler);
  }

  private async untilClosed<Result extends string>(lifecycle: Lifecycle<State, Result>): Promise<Result> {
    const { abandoned, whenAbandoned } = lifecycle;
    if (abandoned === undefined) return this.untilEnded(lifecycle);
    const ended = await this.parking.orAbandoned(() => this.untilEnded(lifecycle));
    if (ended !== 'ABANDONED') return ended;
    await whenAbandoned?.();
    return abandoned;
  }

  private async untilEnded<Result extends string>(lifecycle: Lifecycle<State, Result>): Promise<Result> {
    for (let wasThere = isContinued() || Boolean(this.known); ; wasThere ||= Boolean(this.known)) {
      await this.readState(lifecycle);
      const { known, revision } = this;
      if (known === undefined) throw new Error('The state was not read.');
      const changed = (): boolean => this.known !== known || this.revision !== revision;
      const gone = (wasThere ? lifecycle.erased : undefined) ?? lifecycle.refused;
      const next = known === null ? { ended: gone } : await lifecycle.next(known);
      if ('ended' in next) {
        if (await this.unchangedOnceAnswered(changed)) return next.ended;
      } else if (known !== null) await this.wait(next, changed);
    }
  }

  /** Reads the state if the copy is not current, after the update that is running. */
  private async readState({ abandoned }: Pick<Lifecycle<State, string>, 'abandoned'>): Promise<void> {
    const isCurrent = (): boolean => this.known !== undefined && this.readAt === this.revision;
    if (isCurrent()) return;
    const read = async (): Promise<void> => {
      if (isCurrent()) return;
      const { revision } = this;
      this.known = await this.options.read();
      this.readAt = revision;
    };
    const reading = (): Promise<void> => this.step(this.options.reading, read);
    do {
      if (abandoned !== undefined) await reading();
      else if ((await this.parking.orAbandoned(reading)) === 'ABANDONED') this.readAt = this.revision;
    } while (!isCurrent()); // A message that arrives during a read requires another one.
  }

  private async wait(
    { words, until, summary, whenDue }: Extract<Next<string>, { words: string }>,
    changed: () => boolean,
  ): Promise<void> {
    setCurrentDetails(words);
    const isInterrupted = (): boolean => changed() || workflowInfo().continueAsNewSuggested;
    // A time that has passed needs no timer.
    if (until && whenDue && millisecondsUntil(until) === 0 && !isInterrupted()) return whenDue(changed);
    this.parking.goesOn();
    const renewsAt = renewalTime();
    const due = until && Date.parse(until) <= Date.parse(renewsAt) ? until : null;
    const timer = due === null ? `continues as new at ${renewsAt}` : (summary ?? `until ${due}`);
    if (!(await condition(isInterrupted, timeoutUntil(due ?? renewsAt), { summary: timer })))
      if (due !== null && whenDue) return whenDue(changed);
    if (!changed() && (await this.unchangedOnceAnswered(changed))) await this.renew();
  }

  /** Continues as new, with the state where it is current. */
  private renew(): Promise<never> {
    const { known } = this;
    return this.options.renew(this.readAt === this.revision && known !== null ? known : undefined);
  }

  /** Waits for all answers; returns whether the state is still the same. */
  private async unchangedOnceAnswered(changed: () => boolean): Promise<boolean> {
    await this.answers.recorded();
    return !changed();
  }
}
