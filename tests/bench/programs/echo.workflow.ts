import { allHandlersFinished, condition, setHandler, defineUpdate } from '@temporalio/workflow';

/** Answers its first update with nothing, and ends. */
export async function echoing(): Promise<void> {
  let asked = false;
  setHandler(defineUpdate('echo'), () => {
    asked = true;
  });
  await condition(() => asked && allHandlersFinished());
}
