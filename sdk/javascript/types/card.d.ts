/** A playing card. There is one object for each, from `Card.parse` and in everything that a turn holds. */
export declare class Card {
    /** As people say it: `B7`, `Z10`, `G0`. */
    name: string;
    /** As on the wire: `suit * 16 + rank`. */
    value: number;
    /** 1 Bismuth, 2 Copper, 3 Phosphorus, 4 Silver, 5 Zinc, 6 Gold: the first letters of the names. */
    suit: number;
    /** 1 to 10; of gold 0 to 8. */
    rank: number;
    /** Gold is never in a hand: it lies in the supply, in a collection or in a trick. */
    isGold: boolean;
    /**
     * Not for use outside of this file: `===` relies on it.
     * @param {string} name
     * @param {number} value
     */
    constructor(name: string, value: number);
    /**
     * The card of a name like `B7`.
     * @param {string} name
     * @returns {Card}
     */
    static parse(name: string): Card;
    toString(): string;
    toJSON(): string;
}
/**
 * The card of a field that holds one.
 * @param {number} value
 * @returns {Card}
 */
export declare function cardOf(value: number): Card;
/**
 * The card of a field that may hold none.
 * @param {number} value
 * @returns {Card | null}
 */
export declare function cardOrNull(value: number): Card | null;
/**
 * The cards of a repeated field.
 * @param {readonly number[]} values
 * @returns {readonly Card[]}
 */
export declare function cardsOf(values: readonly number[]): readonly Card[];
