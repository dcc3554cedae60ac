"""With a trusted curator: methods that protect an edge or a person in what is released.

One interface: ``fit(graph, split)``, ``predict()``, ``guarantee``. Every method with ``epsilon=math.inf`` is
its own non-private ceiling.
"""

from hushgraph.curator.ballots import Ballots
from hushgraph.curator.dp_mlp import DPMLP
from hushgraph.curator.dp_sage import DPSAGE
from hushgraph.curator.dpdgc import DPDGC
from hushgraph.curator.gap import GAP
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.nip_gnn import NIPGNN
from hushgraph.curator.nip_published import PublishedNIPGNN
from hushgraph.privacy.accounting import CalibrationError

__all__ = [
    "DPDGC",
    "DPMLP",
    "DPSAGE",
    "GAP",
    "NIPGNN",
    "Ballots",
    "CalibrationError",
    "CuratorMethod",
    "PublishedNIPGNN",
]
