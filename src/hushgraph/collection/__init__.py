"""The trust boundary: a campaign is asked, reports leave devices, a server puts them together.

A value crosses it once, as a report. Campaign and reports need numpy alone and are the same on both sides.
:mod:`~hushgraph.collection.assemble` is the server's, :mod:`~hushgraph.collection.simulate` plays devices.
"""

from hushgraph.collection.campaign import Campaign
from hushgraph.collection.report import Answer, Report
from hushgraph.collection.reports import Answers, Refusal, Reports

__all__ = ["Answer", "Answers", "Campaign", "Refusal", "Report", "Reports"]
