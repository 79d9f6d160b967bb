/** A run that has failed; `exitCode` is what the process ends with. */
export declare class RunError extends Error {
    exitCode: number;
}
/** The bot was started wrongly; the message says how to start it. */
export declare class UsageError extends RunError {
    exitCode: number;
}
/** The author's code threw, which is the `cause`; the message says where. */
export declare class AuthorError extends RunError {
}
/** The author's code answered a turn with something that is not legal. */
export declare class IllegalAnswerError extends RunError {
}
export type ProtocolErrorCode = "malformed" | "no_welcome" | "version" | "unknown_game" | "unknown_phase";
/** @typedef {"malformed" | "no_welcome" | "version" | "unknown_game" | "unknown_phase"} ProtocolErrorCode */
/** The referee said something that the protocol does not allow. */
export declare class ProtocolError extends RunError {
    code: ProtocolErrorCode;
    /**
     * @param {ProtocolErrorCode} code
     * @param {string} message
     */
    constructor(code: ProtocolErrorCode, message: string);
}
/** The referee ended the stream for good; the message holds its own sentence. */
export declare class RefusedError extends RunError {
}
/** There is no referee at the address, or it did not come back in time. */
export declare class UnreachableError extends RunError {
}
