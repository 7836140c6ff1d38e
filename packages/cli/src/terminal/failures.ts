/** A problem that the operator can fix: only its message is printed. */
export class StartFailure extends Error {}

/** Arguments that do not fit together: the message is printed and the exit code is 2. */
export class UsageError extends Error {}
