"""What alembic runs: migrations on the connection, in the transaction, that :mod:`..migrating` holds."""

from alembic import context

# Whoever only looks at this module has no migration to run.
if hasattr(context, "config"):
    context.configure(connection=context.config.attributes["connection"])
    context.run_migrations()
