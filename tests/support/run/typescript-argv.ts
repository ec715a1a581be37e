import { resolve } from 'node:path';

/** How Node is started so that it can run the platform's own TypeScript in a process of its own. */
export const typescriptArgv = ['--require', resolve(__dirname, 'typescript.cjs')] as const;
