import { setTimeout as delay } from 'node:timers/promises';
import {
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import type { SignalDefinition, Workflow } from '@temporalio/common';
import { refusalIn, refusalOf, type ErrorCode } from '../../../workflows/errors';
import type { DecisionDefinition } from '../../../workflows/kit/decision';
import { reusePolicy, startOptions, type ProcessDefinition } from '../../../workflows/kit/process';
import { onBehalfOf } from '../observe/request-id';
import { closedRefusal } from './closed';
import { isCallDropped, isTemporalUnavailable } from './temporal-errors';
import { stretched } from '../../../workflows/kit/limits/slowness';

/** Longest wait of a caller for a process; after it the answer is 503, and the process continues. */
export const DEADLINE_MS = 8_000;
const FIRST_PAUSE_MS = 20;

/** Temporal did not answer in time or not at all. The call may still have its effect; repeating it is safe. */
export class TemporalUnavailable extends Error {}

/**
 * A process answered that a step failed for good: not a refusal, and the final answer for this update id. Repeating the
 * update under another id is safe, because steps are idempotent by the ids of what they create.
 */
export class OutcomeUnknown extends Error {}

/** Starts and updates processes. Throws their refusals, `OutcomeUnknown`, and `TemporalUnavailable`. */
export class Processes {
  /** `requestId` goes into the memo of started processes; `onWorkflowId` gets the id of every process called. */
  constructor(
    private readonly client: Client,
    private readonly requestId: string | null = null,
    private readonly onWorkflowId: (workflowId: string) => void = () => undefined,
    private readonly pendingCalls = new Set<Promise<unknown>>(),
  ) {}

  /** The same connection, for one request. */
  forRequest(requestId: string, onWorkflowId?: (workflowId: string) => void): Processes {
    return new Processes(this.client, requestId, onWorkflowId, this.pendingCalls);
  }

  /**
   * Starts a process, unless it runs already, and sends it an update in one round trip. The same `updateId` gets the
   * same answer, also after the process has closed; another one is then refused with the update's `ifClosed`.
   */
  async open<Input, Answer, Command>(
    process: ProcessDefinition<Input>,
    input: Input,
    update: DecisionDefinition<Answer, [Command]>,
    command: Command,
    { updateId }: { updateId: string },
  ): Promise<Answer> {
    return this.answerOrRefuse(update.ifClosed, () =>
      this.client.workflow.executeUpdateWithStart(update, {
        updateId,
        args: [command],
        startWorkflowOperation: new WithStartWorkflowOperation<Workflow>(process.type, {
          ...this.optionsFor(process, input),
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      }),
    );
  }

  /** Sends an update to a running process and waits for its answer; refuses with the update's `ifClosed` if it has closed. */
  async ask<Answer, Command>(
    workflowId: string,
    update: DecisionDefinition<Answer, [Command]>,
    command: Command,
    { updateId }: { updateId: string },
  ): Promise<Answer> {
    this.onWorkflowId(workflowId);
    return this.answerOrRefuse(update.ifClosed, () =>
      this.client.workflow.getHandle(workflowId).executeUpdate(update, { updateId, args: [command] }),
    );
  }

  /** Starts a process without waiting for it. One that was started before stays as it is. */
  async start<Input>(
    process: ProcessDefinition<Input>,
    input: Input,
  ): Promise<'started' | 'already started'> {
    try {
      await this.withinDeadline(() =>
        this.client.workflow.start(process.type, {
          ...this.optionsFor(process, input),
          workflowIdConflictPolicy: 'FAIL',
        }),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already started';
      throw error;
    }
  }

  /** Starts a process again, also one that has ended for good, or signals the one that runs. */
  async startAgain<Input>(process: ProcessDefinition<Input>, input: Input, signal: SignalDefinition) {
    await this.withinDeadline(() =>
      this.client.workflow.signalWithStart<Workflow>(process.type, {
        ...this.optionsFor(process, input),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        signal,
        signalArgs: [],
      }),
    );
  }

  /** The number of calls that Temporal has not answered yet. */
  get pending(): number {
    return this.pendingCalls.size;
  }

  /** Reads one process; null if Temporal is away or fails, or has not answered after `deadlineMs`. */
  async read<Result>(
    deadlineMs: number,
    run: (workflows: Client['workflow']) => Promise<Result>,
  ): Promise<Result | null> {
    const { connection, workflow } = this.client;
    const reading = this.tracked(connection.withDeadline(Date.now() + deadlineMs, () => run(workflow)));
    // A connection that is being opened does not know the deadline.
    const tooLate = delay(deadlineMs, null, { ref: false });
    try {
      return await Promise.race([reading, tooLate]);
    } catch (error) {
      if (error instanceof ServiceError || isTemporalUnavailable(error)) return null;
      throw error;
    }
  }

  /** Waits for all pending calls. Close the connection only then: a retry on a closed one crashes the program. */
  async idle(): Promise<void> {
    while (this.pendingCalls.size > 0) await Promise.allSettled(this.pendingCalls);
  }

  /** True if Temporal answers, for the readiness probe. */
  async isReachable(): Promise<boolean> {
    try {
      const { connection, workflowService } = this.client;
      await this.tracked(
        connection.withDeadline(Date.now() + 2_000, () => workflowService.getSystemInfo({})),
      );
      return true;
    } catch {
      return false;
    }
  }

  private optionsFor<Input>(process: ProcessDefinition<Input>, input: Input) {
    const options = startOptions(process, input);
    this.onWorkflowId(options.workflowId);
    return {
      ...options,
      workflowIdReusePolicy: reusePolicy(process),
      ...(this.requestId !== null && { memo: { ...options.memo, requestId: this.requestId } }),
    };
  }

  private async answerOrRefuse<Answer>(ifClosed: ErrorCode, call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await this.withinDeadline(call);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || error instanceof WorkflowExecutionAlreadyStartedError)
        throw closedRefusal(ifClosed);
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      const refused = refusalIn(error);
      if (refused) throw refusalOf(refused);
      throw new OutcomeUnknown('A step failed for good.', { cause: error });
    }
  }

  private tracked<T>(call: Promise<T>): Promise<T> {
    this.pendingCalls.add(call);
    return call.finally(() => this.pendingCalls.delete(call));
  }

  /** Runs a call under the deadline. A dropped call is repeated, which its update id or workflow id makes harmless. */
  private async withinDeadline<T>(call: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + stretched(DEADLINE_MS);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      try {
        return await this.tracked(
          onBehalfOf(this.requestId, () => this.client.connection.withDeadline(deadline, call)),
        );
      } catch (error) {
        if (isCallDropped(error) && Date.now() + pauseMs < deadline) await delay(pauseMs);
        else if (isCallDropped(error) || isTemporalUnavailable(error))
          throw new TemporalUnavailable('Temporal did not answer in time.', { cause: error });
        else throw error;
      }
    }
  }
}
