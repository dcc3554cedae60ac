"""What runs on a person's device; it needs numpy alone."""

from hushgraph.device.answering import answer
from hushgraph.device.device_file import Record
from hushgraph.device.fetching import fetch_campaign
from hushgraph.device.reporter import Reporter

__all__ = ["Record", "Reporter", "answer", "fetch_campaign"]
