"""The tables of a collector."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

DRAFT, OPEN, CLOSED = "draft", "open", "closed"

metadata = MetaData()

campaigns = Table(
    "campaigns",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    # The bytes whose SHA-256 is the id.
    Column("terms", LargeBinary, nullable=False),
    Column("state", String(6), nullable=False),
    # Seconds since 1970.
    Column("created", BigInteger, nullable=False),
    Column("opened", BigInteger),
    Column("closed", BigInteger),
    CheckConstraint(f"state IN ('{DRAFT}', '{OPEN}', '{CLOSED}')", name="known_state"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("campaign", Integer, ForeignKey("campaigns.number"), primary_key=True),
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary(32), nullable=False),
    Column("expires", BigInteger),
    sqlite_with_rowid=False,
)

# In SQLite rows are appended, in the order in which they come, and the primary key is an index beside them: a
# table in the order of its key (WITHOUT ROWID) moves rows to new pages as it grows, and leaves copies behind
# that outlive a withdrawal, `secure_delete` or not.
reports = Table(
    "reports",
    metadata,
    Column("campaign", Integer, ForeignKey("campaigns.number"), primary_key=True),
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    # What the device sent; NULL once its person has withdrawn it.
    Column("body", LargeBinary),
    Column("arrived", BigInteger, nullable=False),
)
