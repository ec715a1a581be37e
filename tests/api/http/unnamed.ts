/** The names of an endpoint that no document has. */
export const unnamed = { id: 'test', returns: 'Success.', summary: 'Test', tag: 'Tests' } as const;
