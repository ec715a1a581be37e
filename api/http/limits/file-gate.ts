import { Gate, type GateLimits } from './gate';

/**
 * Limits files that last as long as their callers read them: a few at a time, and of one user one, so that nobody takes all
 * slots by reading slowly. The next file of a user waits for its turn as others wait for a slot.
 */
export class FileGate {
  private readonly slots: Gate;
  /** The turns of users who wait for a file or read one. */
  private readonly turns = new Map<string, { gate: Gate; files: number }>();

  constructor(private readonly limits: GateLimits) {
    this.slots = new Gate(limits);
  }

  /** Waits for the user's turn and then for a slot; returns what frees both, to be called once. Rejects with `Busy`. */
  async enter(userId: string, signal?: AbortSignal): Promise<() => void> {
    const endTurn = await this.turnOf(userId, signal);
    try {
      const leave = await this.slots.enter(signal);
      return () => {
        leave();
        endTurn();
      };
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  private async turnOf(userId: string, signal: AbortSignal | undefined): Promise<() => void> {
    const turn = this.turns.get(userId) ?? { gate: new Gate({ ...this.limits, slots: 1 }), files: 0 };
    this.turns.set(userId, turn);
    turn.files++;
    const forget = (): void => {
      if (--turn.files === 0) this.turns.delete(userId);
    };
    try {
      const leave = await turn.gate.enter(signal);
      return () => {
        leave();
        forget();
      };
    } catch (error) {
      forget();
      throw error;
    }
  }
}
