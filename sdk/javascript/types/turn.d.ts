import type { Card } from "./card.js";
import type { Game } from "./game.js";
import type { Table } from "./table.js";
import type { Turn as TurnMessage } from "../gen/aurum/v1/play_pb.js";
export type Phase = "bid" | "exchange" | "lead" | "follow";
/**
 * One turn. It holds the seat's whole legal view, so a bot can be a function of it: nothing has to be remembered from
 * turn to turn.
 */
export declare class Turn {
    #private;
    /** The protocol's own message. */
    message: TurnMessage;
    /** What stays the same in this game. */
    game: Game;
    /** Counts this bot's turns in the game, from 1. */
    number: number;
    phase: Phase;
    /** The own base cards, ascending; the bid card is not among them. */
    hand: readonly Card[];
    /** The own bid card, also while it lies face down; null before it is laid. */
    ownBid: Card | null;
    /** The cards that may be bid or played, gold included; in an exchange those that may be laid. */
    legalCards: readonly Card[];
    /** Whether `PASS` is an answer. In an exchange it declines; when following it ends the round. */
    mayPass: boolean;
    /** When the time for this decision is up, by `performance.now()`, the bank included. */
    deadline: number;
    /**
     * @param {TurnMessage} message
     * @param {Game} game
     * @param {number} received when it arrived, by `performance.now()`
     */
    constructor(message: TurnMessage, game: Game, received: number);
    /** The own seat, from 0; the next seat clockwise is `(seat + 1) % players`. */
    get seat(): number;
    /** 3 or 4. */
    get players(): number;
    /** The partner's seat; null with three players. */
    get partner(): number | null;
    /** The rules of this game. */
    get ruleset(): {
        preset: string;
        goldZeros: boolean;
        gameEnd: string;
    };
    /** Everything face up. */
    get table(): Table;
    /**
     * The own gold, ascending.
     * @returns {readonly Card[]}
     */
    get collection(): readonly Card[];
    /** Milliseconds left for this decision, now; negative once it is too late. */
    get timeLeft(): number;
    toString(): string;
}
