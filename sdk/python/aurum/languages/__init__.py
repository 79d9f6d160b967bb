"""The languages that bots are written in: what each needs, and how a new bot in it begins."""

from aurum.languages.catalogue import Language, find, home, languages
from aurum.languages.starter import begin

__all__ = ["Language", "begin", "find", "home", "languages"]
