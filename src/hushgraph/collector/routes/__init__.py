"""What can be asked of a collector over HTTP."""
