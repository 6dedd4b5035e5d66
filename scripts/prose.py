"""Check the English of docstrings, comments and names; for `./scripts/check` and the hook that it installs.

    python -m scripts.prose [PATH …]             print each problem as `file:line: rule: text`; exit code 1 if any
    python -m scripts.prose --count [PATH …]     print the number of problems by rule
    python -m scripts.prose commit-msg FILE      check the subject of a commit message

A PATH restricts what is printed to files whose name begins with it. ruff has no rule for any of this.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PRODUCT = ("core", "net", "themes", "tui", "scripts")
CHECKED = (*PRODUCT, "tests", "docs")
AREAS = ("core", "net", "ssh", "web", "cluster", "tui", "plain", "cli", "docs", "tests", "scripts", "deps")
RULES = ("opening", "quantity", "word", "variable", "class name", "test name")
MAX_SUBJECT = 72
MAX_TEST_NAME = 80

OPENINGS = re.compile(
    r"[\s\"'(]*(what|who|whoever|whom|whose|one|those|such|that\s+of|how|whether|where|which|whatever"
    r"|somebody|nobody|something)\b",
    re.IGNORECASE,
)
"""First words of a docstring that stand for its subject instead of naming it."""
OPENINGS_ALLOWED: Mapping[str, str] = {}
"""First lines of docstrings that may begin like this, each with the reason."""
QUANTITIES = re.compile(r"\bso\s+(many|much|long|often)\b", re.IGNORECASE)
"""Paraphrases of a parameter's name: write "Return `count` seats", not "Return `so many` seats"."""
BANNED = {
    r"nought|naught": "0, no limit, or no seat",
    r"\w+soever|whence|hence|thence|hitherto|henceforth|therein|thereof|lest": "a word of our time",
    r"whoever|whomever": "the noun: visitor, guest, player, caller",
    r"of\s+late": "recently, or the period",
    r"the\s+dearest": "in order of preference, or the costliest",
    r"bearers?": "who has the token or the name",
    r"bur(y|ies|ied)(?![^.;]*\b(tiles?|bones?|widow)\b)|burials?": "expire (tiles are buried, in some games)",
    r"shown\s+out|g(ive|ives|ave)\s+way": "evict",
    r"signs?\s+of\s+life": "heartbeat",
    r"taken\s+for\s+dead": "expired",
    r"(come|comes|came)\s+to\s+life": "register, start, or rejoin",
    r"(taken|took)\s+up": "resume",
    r"turned\s+away|(may|must)\s+not\s+come\s+in": "deny",
    r"resume\s+codes?|ways?\s+back": "return code",
    r"who\s+is\s+here": "roster",
    r"hear|hears|heard": "receive, or handle",
    r"patient|patiently": "background",
    r"testif(y|ies|ied)|bears?\s+witness|bore\s+witness": "sign",
    r"faults?": "failure, or bug",
}
"""Words of docstrings and comments that have a better one: the field's term, or today's English."""
_BANNED = re.compile("|".join(rf"\b({words})\b" for words in BANNED), re.IGNORECASE)
VARIABLES = frozenset({"each", "one", "found", "told", "shown", "heard"})
"""Names that say that there is a value, not what it is."""
FIELDS_ALLOWED = {
    ("net/doors/terminal.py", "KeyOffer", "shown"): "workers and pages of other versions read it",
}
"""Fields with a name of `VARIABLES`, each with the reason."""


class Problem(NamedTuple):
    """A place that breaks a rule."""

    file: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        """Return the line that is printed."""
        return f"{self.file}:{self.line}: {self.rule}: {self.text}"


def docstrings(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each docstring, also of those below constants and fields."""
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def text_problems(file: str, line: int, text: str) -> Iterator[Problem]:
    """Check the words of a docstring or comment; code in backticks may have any."""
    text = re.sub(r"`[^`]*`", lambda code: re.sub(r"[^\n]", "`", code.group()), text)
    for match in QUANTITIES.finditer(text):
        yield Problem(file, line + text.count("\n", 0, match.start()), "quantity", match.group())
    for match in _BANNED.finditer(text):
        advice = next(
            replacement
            for pattern, replacement in BANNED.items()
            if re.fullmatch(pattern, match.group(), re.IGNORECASE)
        )
        yield Problem(file, line + text.count("\n", 0, match.start()), "word", f"{match.group()}: {advice}")


def assigned_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each variable, parameter, field and attribute that is assigned."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                yield node.lineno, name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield node.lineno, name


def allowed_fields(file: str, nodes: Iterable[ast.AST]) -> set[tuple[int, str]]:
    """Return the line and the name of each field that `FIELDS_ALLOWED` has."""
    return {
        (node.lineno, node.target.id)
        for owner in nodes
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if (file, owner.name, node.target.id) in FIELDS_ALLOWED
    }


def file_problems(file: str, source: str, nodes: Iterable[ast.AST]) -> Iterator[Problem]:
    """Yield the problems of one file: all rules but that for class names."""
    texts = [*docstrings(nodes)]
    for line, text in texts:
        first_line = text.strip().partition("\n")[0]
        if OPENINGS.match(text) and first_line not in OPENINGS_ALLOWED:
            yield Problem(file, line, "opening", first_line[:60])
    for line, text in (*texts, *comments(source)):
        yield from text_problems(file, line, text)
    allowed = allowed_fields(file, nodes)
    for line, name in assigned_names(nodes):
        if name in VARIABLES and (line, name) not in allowed:
            yield Problem(file, line, "variable", name)
    tests = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for test in tests:
        if test.name.startswith("test_") and len(test.name) > MAX_TEST_NAME:
            yield Problem(file, test.lineno, "test name", f"{len(test.name)} characters: {test.name}")


def class_problems(nodes_by_file: Mapping[str, Iterable[ast.AST]]) -> Iterator[Problem]:
    """Yield each definition of a class of the product whose name another class has."""
    places: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for file, nodes in nodes_by_file.items():
        if file.partition("/")[0] in PRODUCT:
            for node in nodes:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append((file, node.lineno))
    for name, definitions in places.items():
        for place in definitions:
            others = [f"{file}:{line}" for file, line in definitions if (file, line) != place]
            if others:
                yield Problem(*place, "class name", f"{name}: also in {', '.join(others)}")


def problems(sources: Mapping[str, str]) -> list[Problem]:
    """Return all problems of these files, which are given by name and text, in the order of files and lines."""
    nodes_by_file = {file: [*ast.walk(ast.parse(source))] for file, source in sources.items()}
    listed = [*class_problems(nodes_by_file)]
    for file, source in sources.items():
        listed += file_problems(file, source, nodes_by_file[file])
    return sorted(listed)


def tracked_sources() -> dict[str, str]:
    """Return the text of each file that is checked: the Python that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *(f"{folder}/**.py" for folder in CHECKED)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = [file for file in listed.split("\0") if file and (ROOT / file).exists()]
    return {file: (ROOT / file).read_text(encoding="utf-8") for file in paths}


def subject_problem(message: str) -> str | None:
    """Return what is wrong with the first line of a commit message, or None."""
    subject, _, body = message.lstrip("\n").partition("\n")
    area, colon, summary = subject.partition(": ")
    if not colon or area not in AREAS or not summary.strip():
        return f'the subject must be "area: summary", with one of the areas {", ".join(AREAS)}'
    if len(subject) > MAX_SUBJECT:
        return f"the subject has {len(subject)} characters; at most {MAX_SUBJECT} are allowed"
    if body and not body.startswith(("\n", "#")):
        return "a blank line must follow the subject"
    return None


def main(arguments: Sequence[str]) -> int:
    """Run the mode that the arguments name; return the exit code."""
    if arguments[:1] == ["commit-msg"]:
        refusal = subject_problem(Path(arguments[1]).read_text(encoding="utf-8"))
        if refusal:
            print(f"boneyard: {refusal}.", file=sys.stderr)
        return 1 if refusal else 0
    is_count_mode = arguments[:1] == ["--count"]
    prefixes = tuple(arguments[1:] if is_count_mode else arguments)
    selected_problems = [
        problem for problem in problems(tracked_sources()) if problem.file.startswith(prefixes or ("",))
    ]
    if is_count_mode:
        problem_counts = Counter(problem.rule for problem in selected_problems)
        for rule in RULES:
            print(f"{problem_counts[rule]:6} {rule}")
        return 0
    for problem in selected_problems:
        print(problem)
    return 1 if selected_problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
