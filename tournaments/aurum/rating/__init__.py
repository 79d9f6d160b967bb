"""How strong bots are, by who finished ahead of whom: fits, intervals and bounds, as pure functions of counts."""
