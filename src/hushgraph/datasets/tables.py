"""Tables of users' own data: CSV and Parquet files as pandas frames, checked on entry."""

from __future__ import annotations

import csv
import os
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.datasets._extras import require

ID_COLUMNS = ("id", "node")


def existing(path: str | os.PathLike[str], accepted: tuple[str, ...] = (".csv", ".parquet", ".npz")) -> Path:
    """The path, if there is a file of an accepted kind with something in it."""
    path = Path(path)
    if path.suffix.lower() not in accepted:
        raise ValueError(f"{path} must be a file of kind {', '.join(accepted)}")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty")
    return path


def read_table(path: Path, *, all_text: bool, least_columns: int = 2, of_people: bool = False) -> Any:
    """The rows of a CSV or Parquet file, as a pandas frame of at least two columns.

    A table ``of_people`` has somebody. Others may have no rows: that nobody has a label, or friends, is no
    mistake, and may be a secret.

    The first line of a CSV names its columns. Its cells stay text if ``all_text``. Otherwise only the id
    column does, so that 007 is not 7, and the other columns become numbers where they can.
    """
    pandas = require("pandas", extra="data", purpose=f"reading {path}")
    if path.suffix.lower() == ".csv":
        frame = _read_csv(pandas, path, all_text)
    else:
        require("pyarrow", extra="data", purpose=f"reading {path}")
        try:
            frame = pandas.read_parquet(path)
        except (OSError, ValueError) as error:
            raise ValueError(f"{path} is not a readable Parquet file (truncated or damaged?)") from error
        # An index with a name is a column of the table, as when ids were made the index before writing.
        frame = frame.reset_index(drop=frame.index.name is None)
    if frame.shape[1] < least_columns:
        least = "two columns" if least_columns == 2 else "one column"
        raise ValueError(f"{path} must have at least {least}, got {frame.shape[1]}")
    if of_people and frame.shape[0] == 0:
        raise ValueError(f"{path} has columns but no rows")
    return frame


def id_column(columns: list[str]) -> str:
    """The column called ``id`` or ``node``, else the first."""
    return next((name for name in columns if str(name).strip().lower() in ID_COLUMNS), columns[0])


def ids_as_text(values: Any, path: Path) -> NDArray[np.object_]:
    """Node ids as text, so that the number 7 in one file and the text 7 in another are one node."""
    pandas = require("pandas", extra="data", purpose=f"reading {path}")
    ids = pandas.Series(values)
    missing = np.flatnonzero(ids.isna() | ids.isin([""]))
    if missing.size:
        raise ValueError(f"{path} has no node id in row {missing[0] + 1}")
    if not (pandas.api.types.is_integer_dtype(ids.dtype) or pandas.api.types.is_string_dtype(ids)):
        raise ValueError(f"{path} must have text or whole numbers as node ids, got {ids.dtype}")
    return np.asarray(ids.astype(str), object)


def _read_csv(pandas: Any, path: Path, all_text: bool) -> Any:
    columns = _header(path)
    with warnings.catch_warnings():
        # Pandas only warns when rows are longer than the header, and cuts them.
        warnings.simplefilter("error", pandas.errors.ParserWarning)
        try:
            return pandas.read_csv(
                path,
                dtype=str if all_text else {id_column(columns): str},
                index_col=False,
                keep_default_na=False,
                na_values=[""],
                skipinitialspace=True,
                encoding="utf-8-sig",
                low_memory=False,
            )
        except pandas.errors.ParserWarning:
            raise ValueError(f"{path} has rows longer than its header of {len(columns)} columns") from None
        except pandas.errors.ParserError as error:
            raise ValueError(f"{path} is not a table: {error}") from error
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not text in UTF-8") from None


def _header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            columns = next(csv.reader(file, skipinitialspace=True), [])
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8") from None
    if not any(columns):
        raise ValueError(f"{path} is empty: its first line must name the columns")
    if all(_is_number(name) for name in columns):
        raise ValueError(f"{path} must name its columns in the first line, but that has only numbers")
    name, times = Counter(columns).most_common(1)[0]
    if times > 1:
        raise ValueError(f"{path} names the column {name!r} more than once")
    return columns


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
