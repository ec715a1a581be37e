/** How a process knows the one thing that it is about. */
export interface EntityOptions<State> {
  /** The id of the order, the user, … by which operators find the process. */
  id: string;
  /** Reads the state from the database; null: there is nothing, what was to open the process was refused. */
  read: () => Promise<State | null>;
  /** What `read` does, in the operators' list: "read the order". */
  reading: string;
  /** The state known at the start; left out, the process waits for its first update. */
  state?: State | undefined;
}

/** How an update is carried out besides its step. */
export interface UpdateOptions<State, Answer, Command> {
  /** For operators who send it by hand. */
  description?: string;
  /** The state that the answer tells; left out, the state is read again; `unchanged`: it stays as it is. */
  stateIn?: ((answer: Answer) => State) | 'unchanged';
  /** Completes the answer outside the turn of the step, for instance with what a provider is asked for. */
  complete?: (answer: Answer) => Promise<Answer>;
  /** Refuses what is hopeless before it is accepted and fills the history. */
  validator?: (command: Command) => void;
}

/** What follows from a state: the process ends, or it waits for messages and, where given, until a moment. */
export type Next<Result> =
  | { ended: Result }
  | {
      /** For operators, while it waits. */
      words: string;
      /** ISO 8601; null or left out: only a message ends the wait. */
      until?: string | null;
      /** Names the timer in the history. */
      summary?: string;
      /** Done when the moment has come without a message. `changed`: whether one came since. */
      whenDue?: (changed: () => boolean) => Promise<void>;
    };

/** How a process goes from state to state until it ends. */
export interface Course<State, Result extends string> {
  next: (state: State) => Promise<Next<Result>> | Next<Result>;
  /** For operators, when it has ended. */
  closing: Record<Result, string>;
  /** The result where nothing was opened. */
  refused: Result;
  /** The result when an operator gives a step up; left out: the process goes on with what it knows. */
  abandoned?: Result;
  /** Done before a process closes that an operator gave up. */
  whenAbandoned?: () => Promise<void>;
  /** Continues as new; asked when the history is nearly full and nothing is under way. */
  renew?: (state: State) => Promise<never>;
}
