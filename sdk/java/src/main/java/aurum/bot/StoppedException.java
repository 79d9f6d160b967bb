package aurum.bot;

/** Ends the bot. Its message is a sentence for the author; a cause, if there is one, is an error of the bot's own. */
class StoppedException extends Exception {
    private final int exitCode;

    StoppedException(int exitCode, String sentence, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    StoppedException(int exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    int exitCode() {
        return exitCode;
    }
}
