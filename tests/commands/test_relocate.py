"""`claimcheck relocate --batch`: questions and answers as JSON Lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Claimcheck, MakeRepo

BODY = "def one(a):\n    x = a.first\n    return x\n\n\ndef two(a):\n    y = a.second\n    return y\n"


@pytest.fixture
def repo(tmp_path: Path, make_repo: MakeRepo) -> tuple[Path, list[str]]:
    where = tmp_path / "lib"
    return where, make_repo(where, {"a.py": BODY}, {"a.py": "import x\n" + BODY}, {"lib/b.py": "import x\n" + BODY})


def question(repo: tuple[Path, list[str]], **other: object) -> dict[str, object]:
    where, commits = repo
    asked: dict[str, object] = {"id": 1, "repo": str(where), "from": commits[0], "to": commits[1], "path": "a.py"}
    return {**asked, "lines": [6, 8], **other}


def lines_of(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.split("\n") if line]


def test_questions_are_answered_in_order(repo: tuple[Path, list[str]], tmp_path: Path, claimcheck: Claimcheck) -> None:
    asked = [
        question(repo),
        question(repo, id="same", to=repo[1][0]),
        question(repo, id="renamed", to=repo[1][2]),
        question(repo, id="back", **{"from": repo[1][2], "to": repo[1][0], "path": "lib/b.py", "lines": [2, 4]}),
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, asked)) + "\n")
    ran = claimcheck("relocate", "--batch", "q.jsonl", cwd=tmp_path)
    found = [(one["id"], one["outcome"], one["path"], one["lines"]) for one in lines_of(ran.out)]
    assert (ran.code, ran.err) == (0, "")
    assert found == [
        (1, "moved", "a.py", [7, 9]),
        ("same", "unchanged", "a.py", [6, 8]),
        ("renamed", "renamed", "lib/b.py", [7, 9]),
        ("back", "renamed", "a.py", [1, 3]),
    ]
    assert all(0 < one["confidence"] <= 1 and one["evidence"] and one["seconds"] >= 0 for one in lines_of(ran.out))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"id": 3}', "repo, from, to, path, lines missing"),
        (
            json.dumps({"id": 3, "repo": "x", "from": "HEAD", "to": "b" * 40, "path": "a", "lines": [1, 2]}),
            "full commit",
        ),
        (
            json.dumps({"id": 3, "repo": "x", "from": "a" * 40, "to": "b" * 40, "path": "a", "lines": [2, 1]}),
            "lines is",
        ),
        (
            json.dumps({"id": 3, "repo": "x", "from": "a" * 40, "to": "b" * 40, "path": "a", "lines": [True, 2]}),
            "lines is",
        ),
        (json.dumps({"id": 3, "repo": "x", "from": "a" * 40, "to": "b" * 40, "path": "a", "lines": [1, 2]}), "x"),
    ],
)
def test_a_bad_question_is_said_to_be_and_stops_no_other(
    line: str, said: str, repo: tuple[Path, list[str]], tmp_path: Path, claimcheck: Claimcheck
) -> None:
    (tmp_path / "q.jsonl").write_text(f"{line}\n\n{json.dumps(question(repo))}\n")
    ran = claimcheck("relocate", "--batch", "q.jsonl", cwd=tmp_path)
    bad, good = lines_of(ran.out)
    assert ran.code == 1
    assert said in str(bad["error"]) and "outcome" not in bad
    assert good["outcome"] == "moved"


@pytest.mark.parametrize("change", [{"path": "no.py"}, {"from": "1" * 40}, {"to": "1" * 40}])
def test_what_cannot_be_read_is_an_error_and_not_a_deletion(
    change: dict[str, str], repo: tuple[Path, list[str]], tmp_path: Path, claimcheck: Claimcheck
) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(question(repo, **change)))
    ran = claimcheck("relocate", "--batch", "q.jsonl", cwd=tmp_path)
    (answer,) = lines_of(ran.out)
    assert ran.code == 1 and set(answer) == {"id", "error"}


def test_a_range_beyond_the_file_is_unavailable_with_the_length(
    repo: tuple[Path, list[str]], tmp_path: Path, claimcheck: Claimcheck
) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(question(repo, lines=[7, 90])))
    (answer,) = lines_of(claimcheck("relocate", "--batch", "q.jsonl", cwd=tmp_path).out)
    assert answer["outcome"] == "unavailable" and answer["lines"] is None and "8 lines" in str(answer["evidence"])


def test_workers_give_the_same_answers_in_the_same_order(
    repo: tuple[Path, list[str]], tmp_path: Path, claimcheck: Claimcheck
) -> None:
    asked = [question(repo, id=n, to=repo[1][n % 3], lines=[1 + n % 6, 8]) for n in range(40)]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, asked)))
    alone = claimcheck("relocate", "--batch", "q.jsonl", cwd=tmp_path)
    beside = claimcheck("relocate", "--batch", "q.jsonl", "--workers", "2", cwd=tmp_path)
    one, two = ([{**line, "seconds": 0} for line in lines_of(ran.out)] for ran in (alone, beside))
    assert one == two and [line["id"] for line in one] == list(range(40))


def test_each_answer_comes_before_the_next_question_is_asked(repo: tuple[Path, list[str]]) -> None:
    command = [sys.executable, "-m", "claimcheck", "relocate", "--batch", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin and child.stdout
        for n in range(3):
            child.stdin.write(json.dumps(question(repo, id=n)) + "\n")
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["id"] == n
        child.stdin.close()
        assert child.wait() == 0


def test_a_file_that_is_not_there(tmp_path: Path, claimcheck: Claimcheck) -> None:
    ran = claimcheck("relocate", "--batch", "no.jsonl", cwd=tmp_path)
    assert ran.code == 2 and "no.jsonl cannot be read: No such file" in ran.err
