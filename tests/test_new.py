"""`arena new`: a new bot is whole, bears its own name everywhere, and is never written over another."""

import keyword
import subprocess
import tomllib
from pathlib import Path

import pytest
from aurum.cli.main import main
from aurum.languages import Language, begin, find, home, languages
from aurum.languages.names import KEYWORDS
from docs_blocks import ROOT, rows, sections

LANGUAGES = languages()
KEYS = {"title", "needs", "packages", "probe", "checks", "build", "command", "vendor", "starter"}

every = pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))


def contents(folder: Path) -> dict[str, str]:
    """The files of a new bot that are its own, by their places."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "vendor" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def kept(*folders: str) -> set[str]:
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        *folders,
    ]
    done = subprocess.run(command, cwd=home(), capture_output=True, text=True, check=True)
    return set(filter(None, done.stdout.split("\0")))


@every
def test_a_language_says_what_is_known_of_it(language: Language) -> None:
    """No key that nobody reads, and no file that is not there."""
    said = tomllib.loads((home() / "sdk" / language.name / "language.toml").read_text(encoding="utf-8"))
    assert set() == said.keys() - KEYS
    assert {"title", "needs", "packages", "checks", "command", "starter"} <= said.keys()
    assert "{bot}" in language.command
    assert "README.md" in language.files
    assert [] == [source for source in language.files.values() if not (home() / source).is_file()]
    assert language.name in KEYWORDS


@every
def test_a_new_bot_bears_its_own_name(language: Language, tmp_path: Path) -> None:
    """In the names of files and in what stands in them; nothing is left of the example's."""
    begin(language, "night_owl", tmp_path / "owl")
    own = contents(tmp_path / "owl")
    assert len(language.files) == len(own)
    text = "\n".join([*own, *own.values()])
    assert "minimal" not in text.lower()
    assert "night_owl" in text
    assert "NightOwl" in text
    for part in language.run("night_owl"):
        assert part in own["README.md"]
    assert "arena check -- " in own["README.md"]
    assert "example_bots" not in text
    assert "../../sdk" not in text


@pytest.mark.process
@every
def test_a_new_bot_takes_the_sdk_with_it(language: Language, tmp_path: Path) -> None:
    """All that git keeps of it but its own starter, and the protocol, in the places that they have to each other."""
    begin(language, "owl", tmp_path / "owl")
    vendor = tmp_path / "owl" / "vendor"
    sdk = f"sdk/{language.name}"
    expected = kept(sdk, "proto/aurum/v1/*.proto") - kept(f"{sdk}/starter", f"{sdk}/language.toml")
    found = {path.relative_to(vendor).as_posix() for path in vendor.rglob("*") if path.is_file()}
    assert (expected if language.vendor else set()) == found


def test_every_language_is_documented() -> None:
    """A row for each, with a link to its SDK."""
    names = {language.title: language.name for language in LANGUAGES.values()}
    table = rows(sections(ROOT / "docs" / "languages.md")["The SDKs"])
    assert [language.title for language in LANGUAGES.values()] == [row[0] for row in table]
    linked = {title for title, _, _, sdk, _ in table if f"../sdk/{names[title]}/README.md" in sdk}
    assert {language.title for language in LANGUAGES.values() if language.vendor} == linked


def test_what_is_printed_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Folder, check, play; a build where there is one."""
    folder = tmp_path / "a place" / "owl"
    assert main(["new", "--language", "python", "owl", "--dir", str(folder)]) == 0
    assert (folder / "owl.py").is_file()
    assert capsys.readouterr().out.splitlines() == [
        f"{folder}: a bot in Python; its README.md tells the rest",
        f"  cd '{folder}'",
        "  arena check -- python owl.py",
        '  arena play --bot owl="python owl.py" --bot twin="python owl.py"',
    ]


def test_without_dir_the_folder_is_called_like_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "--language", "python", "owl"]) == 0
    assert ["owl"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--language", "pyton", "owl"], "no SDK for the language 'pyton': choose one of "),
        (["owl"], "--language is missing: choose one of "),
        (["--language", "python", "Owl"], "'Owl' cannot be a bot's name: "),
        (["--language", "python", "o" * 31], "cannot be a bot's name: "),
        (["--language", "python", "../owl"], "'../owl' cannot be a bot's name: "),
        (["--language", "python", "class"], "'class' has a meaning of its own in Python or its tools: "),
        (["--language", "python", "random"], "'random' has a meaning of its own in Python or its tools: "),
        (["--language", "python", "test"], "'test' has a meaning of its own in Python or its tools: "),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    """And nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("arena: ")
    assert sentence in error
    assert error.count("\n") == 1
    assert [] == list(tmp_path.iterdir())


def test_an_unknown_language_is_guessed_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "--language", "pyton", "owl"]) == 2
    assert capsys.readouterr().err.endswith(f"{', '.join(LANGUAGES)} (did you mean python?)\n")


def test_a_language_has_the_names_that_people_use() -> None:
    """In whatever case; TypeScript has the SDK of JavaScript."""
    names = {
        "js": "javascript",
        "ts": "javascript",
        "TypeScript": "javascript",
        "c++": "cpp",
        "golang": "go",
        "Go": "go",
    }
    assert names == {name: find(name).name for name in names}


@pytest.mark.parametrize("there", ["folder", "file", "link"])
def test_what_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], there: str) -> None:
    """Even an empty folder, and a link that leads nowhere."""
    place = tmp_path / "owl"
    if there == "folder":
        place.mkdir()
    elif there == "file":
        place.touch()
    else:
        place.symlink_to(tmp_path / "nowhere")
    assert main(["new", "--language", "python", "owl", "--dir", str(place)]) == 2
    assert capsys.readouterr().err == f"arena: {place} is there already: name another folder with --dir\n"
    assert [place] == list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["new", "--language", "python", "owl", "--dir", str(tmp_path / "file" / "owl")]) == 2
    assert capsys.readouterr().err == f"arena: {tmp_path}/file/owl: cannot be written: File exists\n"


def test_python_keywords_are_refused() -> None:
    assert set(keyword.kwlist) <= set(KEYWORDS["python"].split())


def test_a_toolchain_that_lacks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot is written all the same."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["new", "--language", "python", "owl", "--dir", str(tmp_path / "owl")]) == 0
    assert capsys.readouterr().err == "note: python3 is not on the search path, which it takes to build it\n"
