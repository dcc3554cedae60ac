"""The output folder: one file for each finished run, whole or absent."""

from __future__ import annotations

import dataclasses
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hushgraph
from hushgraph._files import atomic_write
from hushgraph.datasets.loading import is_public
from hushgraph.experiments.runs import Run, digest_of
from hushgraph.experiments.studies.study import Outcome
from hushgraph.privacy import Guarantee

FORMAT = 2
ABOUT = "folder.json"
SECRET = "secret"
RUNS = "runs"
# What runs promise, in words: once each, apart from the numbers.
STATEMENTS = "statements"
SET_ASIDE = "corrupt"
HOLDER = "whoever holds the data: the outcome is computed from people's true labels"
# What reading a damaged file may raise.
UNREADABLE = (OSError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError, RecursionError)


class CorruptResultError(ValueError):
    """A result file that does not hold what it should."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run as it was stored: what came of it, and on what it ran."""

    outcome: Outcome
    environment: dict[str, str]


class ResultStore:
    """Finished runs under ``folder/runs``, one file each, named by dataset and key; numbers alone.

    Args:
        folder: it is made when the first run is stored; one that hushgraph did not write is refused.
        settings: what holds for every run of the folder, such as where hyper-parameters are from. A folder
            with other settings is refused, for its tables would mix two experiments.
        warn: told about files that were set aside.
    """

    def __init__(
        self, folder: str | Path, settings: dict[str, str], warn: Callable[[str], None] = lambda _: None
    ) -> None:
        self.folder = Path(folder)
        self.settings = settings
        self.warn = warn
        self._check_about()

    def get(self, run: Run) -> Result | None:
        """The stored result; a corrupt file is set aside, so that only that run is repeated."""
        path = self._path(run)
        try:
            return _read(path, run)
        except FileNotFoundError:
            return None
        except CorruptResultError as error:
            aside = self.folder / SET_ASIDE / path.name
            aside.parent.mkdir(exist_ok=True)
            path.replace(aside)
            self.warn(f"{path} is corrupt ({error}): set aside as {aside}, and the run is repeated")
            return None

    def put(self, run: Run, result: Result) -> None:
        """Stores a finished run; a kill leaves all of it or nothing."""
        if not (self.folder / ABOUT).exists():
            self.prepare()
        said = result.outcome.guarantee.to_dict()
        statement = self.folder / STATEMENTS / f"{digest_of(said)}.json"
        if not statement.exists():
            _write(statement, said)
        outcome = dataclasses.asdict(result.outcome) | {"guarantee": statement.stem}
        content = {"run": run.identity, "outcome": outcome, "environment": result.environment}
        whose = {} if is_public(run.dataset) else {"for": HOLDER}
        _write(self._path(run), {"format": FORMAT, "checksum": digest_of(content), **whose, **content})

    def prepare(self) -> None:
        """Makes the folder and says in it what it is."""
        document = {"format": FORMAT, "hushgraph": hushgraph.__version__, "settings": self.settings}
        _write(self.folder / ABOUT, document)

    def others(self, runs: set[str]) -> int:
        """How many stored runs are not among these keys."""
        files = (self.folder / RUNS).glob("*.json") if (self.folder / RUNS).is_dir() else ()
        return sum(path.stem.rpartition("-")[2] not in runs for path in files)

    def secret(self) -> bytes:
        """Random bytes of this folder alone, from the operating system."""
        file = self.folder / SECRET
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_write(file) as new:
                new.write(secrets.token_bytes(32))
        return file.read_bytes()

    def collections(self) -> set[str]:
        """What the stored runs asked of people; see :attr:`Run.collection`."""
        found = set()
        for path in sorted((self.folder / RUNS).glob("*.json")):
            try:
                stored = json.loads(path.read_bytes())["run"]
                run = Run(*(stored[name] for name in ("dataset", "digest", "configuration", "seed")))
                if run.identity == stored:
                    found.add(run.collection)
            except UNREADABLE:
                continue  # whoever asks for that run sets its file aside
        return found

    def _path(self, run: Run) -> Path:
        dataset = re.sub(r"[^A-Za-z0-9_]+", "_", Path(run.dataset).stem)
        return self.folder / RUNS / f"{dataset}-{run.key}.json"

    def _check_about(self) -> None:
        about = self.folder / ABOUT
        # Listed before it is asked for: another process may write it meanwhile. A kill in the middle of a
        # write may have left a hidden file.
        found_there = list(self.folder.iterdir()) if self.folder.exists() else []
        if not about.exists():
            if any(not path.name.startswith(".") for path in found_there):
                raise ValueError(
                    f"{self.folder} is not empty and has no {ABOUT}: choose another folder, or a new one"
                )
            return
        try:
            found = json.loads(about.read_text(encoding="utf-8"))
            version, settings, number = found["hushgraph"], dict(found["settings"]), int(found["format"])
        except UNREADABLE as error:
            raise ValueError(f"{about} is corrupt ({error}): choose another folder") from error
        if number > FORMAT or _numbers(version) > _numbers(hushgraph.__version__):
            raise ValueError(
                f"{self.folder} was written by hushgraph {version}, which is newer than this"
                f" {hushgraph.__version__}: upgrade, or choose another folder"
            )
        for name in sorted(settings.keys() | self.settings.keys()):
            before, now = settings.get(name), self.settings.get(name)
            if before != now:
                raise ValueError(
                    f"{self.folder} holds results with other settings: {name} was {before!r} and is now"
                    f" {now!r}; choose another folder"
                )


def _read(path: Path, run: Run) -> Result:
    text = path.read_bytes()
    try:
        document = json.loads(text)
        content = {name: document[name] for name in ("run", "outcome", "environment")}
        if document["format"] != FORMAT or document["checksum"] != digest_of(content):
            raise CorruptResultError("its checksum does not match")
        if content["run"] != run.identity:
            raise CorruptResultError("it is of another run than its name says")
        outcome = dict(content["outcome"])
        outcome["guarantee"] = _statement(path.parent.parent / STATEMENTS / f"{outcome['guarantee']}.json")
        return Result(Outcome(**outcome), content["environment"])
    except CorruptResultError:
        raise
    except UNREADABLE as error:
        raise CorruptResultError("it is no result file") from error


def _statement(path: Path) -> Guarantee:
    said = json.loads(path.read_bytes())
    if digest_of(said) != path.stem:
        raise CorruptResultError(f"its statement {path} does not match")
    return Guarantee._from_dict(said)


def _write(path: Path, document: dict[str, Any]) -> None:
    with atomic_write(path) as file:
        file.write((json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode())


def _numbers(version: Any) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", str(version))[:3])
