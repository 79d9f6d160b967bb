import type { Action } from "../gen/aurum/v1/play_pb.js";
/** The answers to one message from the referee. They go out as one message, unless the bot thinks long. */
export declare class Outbox {
    #private;
    /**
     * @param {(bytes: Uint8Array) => Promise<void>} send
     * @param {() => number} now milliseconds
     */
    constructor(send: (bytes: Uint8Array) => Promise<void>, now: () => number);
    /**
     * Takes an answer, and sends what is ready if that should not wait.
     * @param {Action} action
     */
    add(action: Action): Promise<void>;
    /** Sends what is ready. */
    flush(): Promise<void>;
}
