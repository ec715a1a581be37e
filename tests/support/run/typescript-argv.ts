import { resolve } from 'node:path';

/** Node's arguments for running the platform's TypeScript in a child process. */
export const typescriptArgv = ['--require', resolve(__dirname, 'typescript.cjs')] as const;
