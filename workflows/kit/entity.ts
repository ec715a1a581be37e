import type { SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { condition, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { refusalIn } from '../errors';
import type { Course, EntityOptions, Next, UpdateOptions } from './course';
import { parkingFor, type Parking } from './parking';
import { handlersFinished, oneAtATime, timeoutUntil } from './proxies';

/** An update refused before it was accepted leaves nothing; the process that it started must end by itself. */
const OPENING_WINDOW = '10 minutes';

/**
 * A long-lived process about one thing. Its truth is in the database, where every move is guarded; the process believes
 * what it was told last and reads again whenever it is told that something happened, or an outcome is unknown. Updates
 * are carried out one at a time. Register them all before the first await, then `follow`.
 */
export class Entity<State> {
  readonly parking: Parking;
  private readonly serially = oneAtATime();
  /** Undefined: not known yet; null: there is nothing. */
  private known: State | null | undefined;
  /** Counts what makes the state doubtful; it is read again when this differs from `readAt`. */
  private revision = 0;
  private readAt = 0;
  /** Counts updates, as they come. */
  private received = 0;
  /** Whether an update has come that may open the process: any, unless some are there to open it. */
  private opened = false;
  private waitsForOpener = false;
  /** How long the history was when the last update was answered. */
  private answeredAt = -1;

  constructor(private readonly options: EntityOptions<State>) {
    this.known = options.state;
    this.parking = parkingFor(options.id);
  }

  /** What the process believes; undefined as long as nothing is known, null when there is nothing. */
  get state(): State | null | undefined {
    return this.known;
  }

  /** An update that opens the process; register it before others. Refused: there is nothing, unless one came before. */
  opens<Answer, Command>(
    update: UpdateDefinition<Answer, [Command]>,
    carryOut: (command: Command) => Promise<Answer>,
    options: UpdateOptions<State, Answer, Command> = {},
  ): void {
    this.waitsForOpener = true;
    this.takes(update, carryOut, options, true);
  }

  /** An update that decides something about what is open. */
  decides<Answer, Command>(
    update: UpdateDefinition<Answer, [Command]>,
    carryOut: (command: Command) => Promise<Answer>,
    options: UpdateOptions<State, Answer, Command> = {},
  ): void {
    this.takes(update, carryOut, options, false);
  }

  /** A signal that something happened; what, is in the database. */
  hears(signal: SignalDefinition, description: string): void {
    setHandler(signal, () => this.readAgain(), { description });
  }

  /** Runs a step in its turn; one that has used up its retries waits for an operator. */
  step<T>(doing: string, run: () => Promise<T>): Promise<T> {
    return this.parking.step(doing, () => this.serially(run));
  }

  /** The same for a step that answers the new state. */
  move(doing: string, run: () => Promise<State>): Promise<void> {
    return this.step(doing, async () => void (this.known = await run()));
  }

  /** The same for a step after which the state is read again. */
  async change(doing: string, run: () => Promise<unknown>): Promise<void> {
    await this.step(doing, run);
    this.readAgain();
  }

  /** Says that the state may not be what the process believes. */
  readAgain(): void {
    this.revision++;
  }

  /** Lives until the process has ended and everyone who asked it something has the answer. */
  async follow<Result extends string>(course: Course<State, Result>): Promise<Result> {
    if (this.known === undefined)
      await condition(() => this.opened, OPENING_WINDOW, { summary: 'waiting to be opened' });
    const result = await this.untilEndedOrAbandoned(course);
    setCurrentDetails(course.closing[result]);
    await this.answersWritten();
    return result;
  }

  private takes<Answer, Command>(
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
        // An unknown outcome: it may have been done all the same; the database knows.
        if (!refusalIn(error)) this.readAgain();
        else if (opening && this.known === undefined && this.revision === this.readAt) this.known = null;
        throw error;
      }
    };
    const handle = async (command: Command): Promise<Answer> => {
      this.received++;
      if (opening || !this.waitsForOpener) this.opened = true;
      try {
        const answer = await this.serially(() => inTurn(command));
        return complete ? await complete(answer) : answer;
      } finally {
        this.answeredAt = workflowInfo().historyLength;
      }
    };
    setHandler(update, handle, handler);
  }

  private async untilEndedOrAbandoned<Result extends string>(course: Course<State, Result>): Promise<Result> {
    const { abandoned, whenAbandoned } = course;
    if (abandoned === undefined) return this.untilEnded(course);
    const ended = await this.parking.orAbandoned(() => this.untilEnded(course));
    if (ended !== 'ABANDONED') return ended;
    await whenAbandoned?.();
    return abandoned;
  }

  private async untilEnded<Result extends string>(course: Course<State, Result>): Promise<Result> {
    for (;;) {
      await this.learn(course);
      const { known, revision } = this;
      if (known === undefined) throw new Error('Nothing was read.');
      const changed = (): boolean => this.known !== known || this.revision !== revision;
      const next = known === null ? { ended: course.refused } : await course.next(known);
      if ('ended' in next) {
        if (await this.mayClose(changed)) return next.ended;
      } else if (known !== null) await this.wait(next, changed, course.renew?.bind(null, known));
    }
  }

  /** Reads the state if it is not known; an update under way is waited for. */
  private async learn({ abandoned }: Pick<Course<State, string>, 'abandoned'>): Promise<void> {
    const isKnown = (): boolean => this.known !== undefined && this.readAt === this.revision;
    if (isKnown()) return;
    const read = async (): Promise<void> => {
      if (isKnown()) return;
      const { revision } = this;
      this.known = await this.options.read();
      this.readAt = revision;
    };
    const reading = (): Promise<void> => this.step(this.options.reading, read);
    do {
      const { revision } = this;
      if (abandoned !== undefined) await reading();
      else if ((await this.parking.orAbandoned(reading)) === 'ABANDONED') this.readAt = revision;
    } while (!isKnown()); // A message that came while it was read has it read again.
  }

  private async wait(
    { words, until, summary, whenDue }: Extract<Next<string>, { words: string }>,
    changed: () => boolean,
    renew: (() => Promise<never>) | undefined,
  ): Promise<void> {
    setCurrentDetails(words);
    const interrupted = (): boolean => changed() || (!!renew && workflowInfo().continueAsNewSuggested);
    if (until === undefined || until === null) await condition(interrupted);
    else if (!(await condition(interrupted, timeoutUntil(until), { summary: summary ?? `until ${until}` })))
      return whenDue?.(changed);
    if (!changed() && (await this.mayClose(changed))) await renew?.();
  }

  /** Whether nothing has come that could change the end. */
  private async mayClose(changed: () => boolean): Promise<boolean> {
    await this.answersWritten();
    return !changed();
  }

  /**
   * Waits until every answer is given, and was given in an earlier task: one that closes a process is thrown away when a
   * message arrives meanwhile, with the answers it carries.
   */
  private async answersWritten(): Promise<void> {
    let received;
    do {
      received = this.received;
      await handlersFinished();
      if (this.answeredAt === workflowInfo().historyLength)
        await sleep(1, { summary: 'closes after the answer' });
    } while (this.received !== received);
  }
}
