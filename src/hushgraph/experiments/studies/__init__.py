"""What the cells of a table can be made of; the studies by name."""

from __future__ import annotations

from hushgraph.experiments.studies import aggregation, attacks, curator, lpgnn, solitude
from hushgraph.experiments.studies.study import Study

_ALL = (
    lpgnn.STUDY, lpgnn.VALIDATION, aggregation.STUDY, solitude.STUDY, solitude.VALIDATION, curator.STUDY,
    attacks.STUDY,
)  # fmt: skip
STUDIES: dict[str, Study] = {study.name: study for study in _ALL}
