/** What the arguments ask for cannot be: the message is printed and the exit code is 2. */
export class UsageError extends Error {}
