"""Whether one bot keeps the protocol: a referee that takes it through everything that can happen to it."""
