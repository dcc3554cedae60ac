"""What runs on a person's device; it needs numpy alone."""

from hushgraph.device.answering import answer

__all__ = ["answer"]
