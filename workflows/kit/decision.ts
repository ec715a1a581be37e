import { defineUpdate } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import type { ErrorCode } from '../errors';

/** An update, with the refusal that its caller gets when the process has closed. */
export type DecisionDefinition<Answer, Args extends [unknown]> = UpdateDefinition<Answer, Args> & {
  readonly ifClosed: ErrorCode;
};

/** Declares an update; `ifClosed`: the code of the refusal, whose words are in `CLOSED_MESSAGES` where its own do not fit. */
export const decision = <Answer, Args extends [unknown]>(
  name: string,
  { ifClosed }: { ifClosed: ErrorCode },
): DecisionDefinition<Answer, Args> => Object.assign(defineUpdate<Answer, Args>(name), { ifClosed });
