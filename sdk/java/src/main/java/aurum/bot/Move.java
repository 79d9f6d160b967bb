package aurum.bot;

/** The answer to a turn. */
public sealed interface Move permits Card, Exchange, Pass {}
