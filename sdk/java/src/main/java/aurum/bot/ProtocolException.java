package aurum.bot;

/** The referee said what this SDK does not understand. */
final class ProtocolException extends StoppedException {
    enum Kind {
        /** Bytes that are no PlayResponse. */
        MALFORMED,
        /** A stream that does not begin with a Welcome. */
        NO_WELCOME,
        /** Another protocol version. */
        VERSION,
        /** A turn of a game that has not started. */
        UNKNOWN_GAME,
        /** A turn that asks for something unheard of. */
        UNKNOWN_PHASE
    }

    private final Kind kind;

    ProtocolException(Kind kind, String sentence) {
        super(1, sentence);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
