// What can end a bot's run before the referee's Goodbye, by whose mistake it is. Each message is a sentence for the author.

/** A run that has failed; `exitCode` is what the process ends with. */
export class RunError extends Error {
  exitCode = 1;
}

/** The bot was started wrongly; the message says how to start it. */
export class UsageError extends RunError {
  exitCode = 2;
}

/** The author's code threw, which is the `cause`; the message says where. */
export class AuthorError extends RunError {}

/** The author's code answered a turn with something that is not legal. */
export class IllegalAnswerError extends RunError {}

/** @typedef {"malformed" | "no_welcome" | "version" | "unknown_game" | "unknown_phase"} ProtocolErrorCode */

/** The referee said something that the protocol does not allow. */
export class ProtocolError extends RunError {
  /**
   * @param {ProtocolErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The referee ended the stream for good; the message holds its own sentence. */
export class RefusedError extends RunError {}

/** There is no referee at the address, or it did not come back in time. */
export class UnreachableError extends RunError {}
