import { allHandlersFinished, condition, sleep, workflowInfo } from '@temporalio/workflow';

/** The answers of a process to updates: each is given before the run ends. */
export class Answers {
  private received = 0;
  /** The length of the history when the last update was answered. */
  private answeredAt = -1;

  /** The handler of an update whose answers are counted. */
  counted<Answer, Command extends unknown[]>(
    handle: (...command: Command) => Promise<Answer>,
  ): (...command: Command) => Promise<Answer> {
    return async (...command) => {
      this.received++;
      try {
        return await handle(...command);
      } finally {
        this.answeredAt = workflowInfo().historyLength;
      }
    };
  }

  /**
   * Waits until every update is answered, and answered in an earlier workflow task: the server discards the task that
   * closes a run, with the answers in it, if a message arrives meanwhile. Returns false, at once, when `isOver` does: an
   * update may wait for what the process waits for.
   */
  async recorded(isOver: () => boolean = () => false): Promise<boolean> {
    let received;
    do {
      received = this.received;
      await condition(() => isOver() || allHandlersFinished());
      if (!isOver() && this.answeredAt === workflowInfo().historyLength)
        await sleep(1, { summary: 'closes after the answer' });
      if (isOver()) return false;
    } while (this.received !== received);
    return true;
  }
}
