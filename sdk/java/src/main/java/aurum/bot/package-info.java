/**
 * Bots for the Aurum Arena: implement {@link aurum.bot.Bot}, and start it with {@link aurum.bot.Bot#run}.
 *
 * <p>What is public here is for authors of bots. The conversation with the referee is a {@link aurum.bot.Session},
 * which knows neither network nor clock; {@link aurum.bot.Conversation} carries it over streams.
 */
package aurum.bot;
