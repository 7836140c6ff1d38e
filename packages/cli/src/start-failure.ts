/** What keeps the server from starting and the operator can mend: the message is all that is printed. */
export class StartFailure extends Error {}
