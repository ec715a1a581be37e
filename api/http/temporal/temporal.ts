import { setTimeout as delay } from 'node:timers/promises';
import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import type { UpdateDefinition, Workflow } from '@temporalio/common';
import { refusal, refusalIn, type ErrorCode } from '../../../workflows/errors';
import { reusePolicy, startOptions, type ProcessDefinition } from '../../../workflows/kit/process';
import { onBehalfOf } from '../observe/request-id';
import { isAway, isDropped } from './temporal-errors';

/** Longest a caller waits for a process; after it the answer is 503 and the process goes on. */
const DEADLINE_MS = 8_000;
const FIRST_PAUSE_MS = 20;

/** Temporal did not answer in time or not at all. What was asked may still happen; asking again is safe. */
export class ProcessesAway extends Error {}

/**
 * A process answered that a step failed and its tries are used up: no refusal, and for this update id the last word.
 * Asking again under another id is safe, for steps are idempotent by the ids of what they make.
 */
export class OutcomeUnknown extends Error {}

/** How the API speaks with processes. Refusals come back as thrown refusals, silence as `ProcessesAway`. */
export class Processes {
  /** `requestId` goes into the memo of all that is started; `touched` hears the id of every workflow spoken with. */
  constructor(
    private readonly client: Client,
    private readonly requestId: string | null = null,
    private readonly touched: (workflowId: string) => void = () => undefined,
    private readonly underWay = new Set<Promise<unknown>>(),
  ) {}

  /** The same connection, for one request. */
  forRequest(requestId: string, touched?: (workflowId: string) => void): Processes {
    return new Processes(this.client, requestId, touched, this.underWay);
  }

  /**
   * Starts a process (or finds it running) and puts the first question to it in one round trip. The same `updateId`
   * gets the same answer, also after the process has closed; any other finds it closed and is refused `ifClosed`.
   */
  async open<Input, Answer, Question>(
    process: ProcessDefinition<Input>,
    input: Input,
    update: UpdateDefinition<Answer, [Question]>,
    question: Question,
    { updateId, ifClosed }: { updateId: string; ifClosed: ErrorCode },
  ): Promise<Answer> {
    return this.answer(ifClosed, () =>
      this.client.workflow.executeUpdateWithStart(update, {
        updateId,
        args: [question],
        startWorkflowOperation: new WithStartWorkflowOperation<Workflow>(process.type, {
          ...this.optionsFor(process, input),
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      }),
    );
  }

  /** Asks a running process to do something and waits; a process that has closed refuses `ifClosed`. */
  async ask<Answer, Question>(
    workflowId: string,
    update: UpdateDefinition<Answer, [Question]>,
    question: Question,
    { updateId, ifClosed }: { updateId: string; ifClosed: ErrorCode },
  ): Promise<Answer> {
    this.touched(workflowId);
    return this.answer(ifClosed, () =>
      this.client.workflow.getHandle(workflowId).executeUpdate(update, { updateId, args: [question] }),
    );
  }

  /** Starts a process that nobody waits for; one that was started before is left alone. */
  async start<Input>(
    process: ProcessDefinition<Input>,
    input: Input,
  ): Promise<'started' | 'already started'> {
    try {
      await this.inTime(() =>
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

  /** Waits for the last call. Close the connection only then: a call tried again on a closed one ends the program. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  /** Whether Temporal answers at all, for readiness. */
  async answers(): Promise<boolean> {
    try {
      const { connection, workflowService } = this.client;
      await this.counted(
        connection.withDeadline(Date.now() + 2_000, () => workflowService.getSystemInfo({})),
      );
      return true;
    } catch {
      return false;
    }
  }

  private optionsFor<Input>(process: ProcessDefinition<Input>, input: Input) {
    const options = startOptions(process, input);
    this.touched(options.workflowId);
    return {
      ...options,
      workflowIdReusePolicy: reusePolicy(process),
      ...(this.requestId !== null && { memo: { requestId: this.requestId } }),
    };
  }

  private async answer<Answer>(ifClosed: ErrorCode, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await this.inTime(ask);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || error instanceof WorkflowExecutionAlreadyStartedError)
        throw refusal(ifClosed, 'This has already been concluded.');
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      const refused = refusalIn(error);
      if (refused) throw refusal(refused.code, refused.message, refused.details);
      throw new OutcomeUnknown('A step failed for good.', { cause: error });
    }
  }

  private counted<T>(call: Promise<T>): Promise<T> {
    this.underWay.add(call);
    return call.finally(() => this.underWay.delete(call));
  }

  /** Calls under the deadline. What the server only dropped is asked again: an update's id makes that harmless. */
  private async inTime<T>(call: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + DEADLINE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      try {
        return await this.counted(
          onBehalfOf(this.requestId, () => this.client.connection.withDeadline(deadline, call)),
        );
      } catch (error) {
        if (isDropped(error) && Date.now() + pauseMs < deadline) await delay(pauseMs);
        else if (isDropped(error) || isAway(error))
          throw new ProcessesAway('Temporal did not answer in time.', { cause: error });
        else throw error;
      }
    }
  }
}
