import threads, { type WorkerOptions } from 'node:worker_threads';

/**
 * Runs first in a thread: the SDK cannot install its hook, takes that as allowed, and its warning is dropped. Node's own
 * AsyncLocalStorage uses the same function, with more events.
 */
const preload = `
  import v8 from 'node:v8';
  const { createHook } = v8.promiseHooks;
  v8.promiseHooks.createHook = (hooks) => {
    if ('before' in hooks) return createHook(hooks);
    throw new Error('No stack traces are kept for promises.');
  };
  const { warn } = console;
  console.warn = (...words) => {
    if (!String(words[0]).startsWith('v8.promiseHooks.createHook')) warn(...words);
  };
`;
const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];

/** The SDK's file that runs workflow code in a thread. */
const WORKFLOW_THREAD = /workflow-worker-thread\.js$/;

let isInstalled = false;

/**
 * Makes the workflow threads that are created from now on store no stack trace of each promise. The SDK stores them without asking
 * (temporalio/sdk-typescript#1587), only for the query `__stack_trace`, which is the call stack in the Temporal UI; it costs more CPU
 * than the workflow code itself.
 */
export function keepNoPromiseStacks(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const isWorkflows = WORKFLOW_THREAD.test(String(file));
      super(file, isWorkflows ? { ...options, execArgv: [...process.execArgv, ...execArgv] } : options);
    }
  };
}
