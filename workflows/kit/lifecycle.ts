/** The thing that a process is about, and the way to read its state. */
export interface EntityOptions<State> {
  /** The id of the order, the user, … by which operators find the process. */
  id: string;
  /** Reads the state from the database; null if there is no row, because the opening update was refused. */
  read: () => Promise<State | null>;
  /** Names `read` for operators: "read the order". */
  reading: string;
  /** The state known at the start; left out, the process waits for its first update, or reads it if the row `exists`. */
  state?: State | undefined;
  /** True if the row was made before the process was started, so that no update has to open it. */
  exists?: true;
  /**
   * Continues as new: when the run is 30 days old, whatever the process waits for, and when its history is nearly full. Every
   * accepted update is answered before. The next run reads the state, unless it is given this one; undefined: none that is current.
   */
  renew: (state: State | undefined) => Promise<never>;
}

/** Options of an update besides its step. */
export interface UpdateOptions<State, Answer, Command> {
  /** Shown to operators who send the update by hand. */
  description?: string;
  /** Takes the new state from the answer; left out, the state is read again; `unchanged`: it stays as it is. */
  stateIn?: ((answer: Answer) => State) | 'unchanged';
  /** Completes the answer after the step, outside its turn, for instance with a call to a provider. */
  complete?: (answer: Answer) => Promise<Answer>;
  /** Refuses a hopeless command before it is accepted, so that it does not grow the history. */
  validator?: (command: Command) => void;
}

/** The consequence of a state: the process ends, or it waits for messages and, optionally, until a time. */
export type Next<Result> =
  | { ended: Result }
  | {
      /** Shown to operators as current details while the process waits. */
      words: string;
      /** ISO 8601; null or left out: only a message ends the wait. */
      until?: string | null;
      /** Names the timer in the history. */
      summary?: string;
      /**
       * Runs when the time has come without a message; left out, the process then continues as new. `changed`: whether a
       * message has arrived since.
       */
      whenDue?: (changed: () => boolean) => Promise<void>;
    };

/** The way of a process from state to state until it ends. */
export interface Lifecycle<State, Result extends string> {
  next: (state: State) => Promise<Next<Result>> | Next<Result>;
  /** Shown to operators as current details when the process has ended. */
  closing: Record<Result, string>;
  /** The result if nothing was opened. */
  refused: Result;
  /** The result if the row was there and is gone, erased with its account; a signal has it read. Left out: `refused`. */
  erased?: Result;
  /** The result when an operator abandons a step; left out: the process continues with the state that it knows. */
  abandoned?: Result;
  /** Runs before an abandoned process closes. */
  whenAbandoned?: () => Promise<void>;
}
