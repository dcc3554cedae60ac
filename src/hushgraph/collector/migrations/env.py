"""What alembic runs: migrations on the connection, in the transaction, that :mod:`..migrating` holds."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
