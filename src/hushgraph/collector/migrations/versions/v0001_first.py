"""Campaigns, tokens, reports."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "campaigns",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.String(6), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("opened", sa.BigInteger),
        sa.Column("closed", sa.BigInteger),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name="known_state"),
    )
    op.create_table(
        "tokens",
        sa.Column("campaign", sa.Integer, sa.ForeignKey("campaigns.number"), primary_key=True),
        sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("expires", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reports",
        sa.Column("campaign", sa.Integer, sa.ForeignKey("campaigns.number"), primary_key=True),
        sa.Column("person", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary),
        sa.Column("arrived", sa.BigInteger, nullable=False),
    )
