import type { StatusObject } from "@grpc/grpc-js";
export declare class Stream {
    #private;
    /**
     * How it ended.
     * @type {Promise<StatusObject>}
     */
    status: Promise<StatusObject>;
    /**
     * Dials at once.
     * @param {string} address `host:port` or `unix:/path`
     * @param {string} token
     * @param {number} patience milliseconds that connecting may take
     */
    constructor(address: string, token: string, patience: number);
    /**
     * All that the referee says, until the stream is over.
     * @returns {AsyncGenerator<Uint8Array, void, void>}
     */
    messages(): AsyncGenerator<Uint8Array, void, void>;
    /**
     * Resolves once the message is on its way, or will never be. If the stream is over, reading on says so, after what
     * the referee has said before.
     * @param {Uint8Array} bytes
     * @returns {Promise<void>}
     */
    write(bytes: Uint8Array): Promise<void>;
    /** Says that no more will be written; the referee then ends the stream. */
    end(): void;
    /** Whatever the stream is at. */
    close(): void;
}
