"""Checks the name of a new bot, which becomes that of files, classes and programs."""

import keyword
import re
import sys

from aurum.common.errors import UserError
from aurum.languages.catalogue import Language

KEYWORDS = {
    "cpp": "alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break "
    "case catch char char8_t char16_t char32_t class compl concept const consteval constexpr constinit "
    "const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum "
    "explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not "
    "not_eq nullptr operator or or_eq private protected public reflexpr register reinterpret_cast requires "
    "return short signed sizeof static static_assert static_cast struct switch synchronized template this "
    "thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t "
    "while xor xor_eq",
    "go": "break case chan const continue default defer else fallthrough for func go goto if import interface map "
    "package range return select struct switch type var",
    "java": "abstract assert boolean break byte case catch char class const continue default do double else enum "
    "exports extends false final finally float for goto if implements import instanceof int interface long "
    "module native new null open opens package permits private protected provides public record requires "
    "return sealed short static strictfp super switch synchronized this throw throws to transient transitive "
    "true try uses var void volatile while with yield "
    # In camel case these are the names of classes that the bot uses.
    "bot move override pass phase string turn",
    "javascript": "arguments async await break case catch class const continue debugger default delete do else enum "
    "eval export extends false finally for function get if implements import in instanceof interface let new null "
    "of package private protected public return set static super switch this throw true try typeof undefined "
    "var void while with yield",
    "rust": "abstract as async await become box break const continue crate do dyn else enum extern false final fn for "
    "gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super "
    "trait true try type typeof unsafe unsized use virtual where while yield "
    # A folder of cargo's, and in camel case what the bot's source uses.
    "incremental bot exit_code phase some turn",
    "python": " ".join([*keyword.kwlist, *keyword.softkwlist, *sys.stdlib_module_names]),
}
"""By language, words that mean something of their own in a source; in Python a module of its name hides another's."""

TAKEN = "all aurum bin build clean deps examples grpc help install src target test tests vendor"
"""Names that build tools and libraries use themselves."""

NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")


def check_name(language: Language, name: str) -> None:
    """Raises UserError for a name that a bot in that language cannot have."""
    if not NAME.fullmatch(name):
        raise UserError(
            f"{name!r} cannot be a bot's name: use up to 30 small letters, digits and _, a letter first, as in my_bot"
        )
    if name in f"{TAKEN} {KEYWORDS.get(language.name, '')}".split():
        raise UserError(f"{name!r} has a meaning of its own in {language.title} or its tools: choose another name")
