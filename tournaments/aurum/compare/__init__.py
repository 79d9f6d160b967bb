"""`arena compare`: whether a new version of a bot is better than an old one, with known error rates."""
