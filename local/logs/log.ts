/** Takes one line for a person to read. */
export type Log = (line: string) => void;
