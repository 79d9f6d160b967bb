import type { Session } from "./session.js";
/**
 * Plays until the referee's Goodbye.
 *
 * Throws RefusedError if the referee ends a stream for good, UnreachableError if it is not there or does not come back
 * within the grace that its Welcome granted, and what `session` throws.
 * @param {Session} session
 * @param {string} address `host:port` or `unix:/path`
 * @param {string} token
 * @param {number} [firstPatience]
 */
export declare function converse(session: Session, address: string, token: string, firstPatience?: number): Promise<void>;
