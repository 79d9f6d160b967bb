"""Every sentence of docs/rules.md sections 3 to 9 and every row of 10 and 12 has a test that names it."""

from importlib import import_module
from pathlib import Path

from rulebook import DOCUMENT, Statement, statements

HELD_SECTIONS = {"3", "4", "5", "6", "7", "8", "9", "10", "12"}

TEXT = DOCUMENT.read_text(encoding="utf-8")


def held() -> dict[str, set[Statement]]:
    """What each test of the rules says it holds."""
    found = {}
    for path in Path(__file__).parent.glob("test_rules_*.py"):
        module = import_module(path.stem)
        for name, value in vars(module).items():
            if name.startswith("test_") and hasattr(value, "holds"):
                found[f"{path.stem}.{name}"] = set(value.holds)
    return found


def without_test(document: str) -> list[Statement]:
    """The statements of the sections that no test names."""
    named = [named for all_named in held().values() for named in all_named]
    return [
        statement
        for statement in statements(document)
        if statement.section in HELD_SECTIONS
        and not any(statement.section == section and statement.text.startswith(text) for section, text in named)
    ]


def test_every_statement_has_a_test() -> None:
    """Whoever adds a sentence or a row, or words one anew, sees to its test."""
    assert [] == without_test(TEXT)


def test_every_name_is_of_one_statement() -> None:
    """A test names what is in the document, and beginnings are long enough to tell statements apart."""
    known = list(statements(TEXT))
    doubtful = [
        (test, named)
        for test, all_named in held().items()
        for named in all_named
        if 1 != sum(named.section == each.section and each.text.startswith(named.text) for each in known)
    ]
    assert [] == doubtful


def test_a_new_sentence_or_row_is_noticed() -> None:
    """One of each, planted."""
    sentence = TEXT.replace("Gold cannot lead.", "Gold cannot lead. Silver can.")
    assert [Statement("5", "Silver can.")] == without_test(sentence)
    row = TEXT.replace("| bids 4 and 2 in a team |", "| bids 5 and 5 | 5 |\n| bids 4 and 2 in a team |")
    assert [Statement("12", "bids 5 and 5 | 5")] == without_test(row)


def test_the_document_is_read_to_its_end() -> None:
    """Sentences, list items and rows, in as many sections as there are."""
    known = list(statements(TEXT))
    assert [str(number) for number in range(1, 14)] == list(dict.fromkeys(section for section, _ in known))
    assert Statement("5", "Gold cannot lead.") in known
    assert Statement("12", "bids 4 and 2 in a team | team bid 4") in known
    assert Statement("4", "11 cards remain in hand.") in known
