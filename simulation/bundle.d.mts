/** Writes the program to `outfile`. `overlay` maps paths from the root of the repository to other contents. */
export function bundle(outfile: string, overlay?: ReadonlyMap<string, string>): Promise<void>;
