"""The real graphs that hushgraph knows by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hushgraph.datasets.digest import content_digest, nonzero_features
from hushgraph.datasets.origins import ByHand, Origin, PlanetoidFiles
from hushgraph.datasets.snap import SnapArchive
from hushgraph.graph import Graph

SNAP = "https://snap.stanford.edu/data"
FACEBOOK_PAGES = ("company", "tvshow", "politician", "government")


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """What is known of a real graph.

    ``nodes``, ``edges``, ``features`` and ``classes`` describe what :func:`~hushgraph.datasets.load`
    returns. ``digest`` is the :func:`~hushgraph.datasets.digest.content_digest` of what the file
    and the origin hold, before ``prepare``. Where ``features_known`` is false it covers edges and
    labels alone, and of the features only their number is checked. ``nodes_dropped`` counts the
    nodes of the file that ``prepare`` leaves out. ``stored_as`` names the file where it is not the
    graph's own name: two graphs can be made from one file.
    """

    name: str
    title: str
    description: str
    nodes: int
    edges: int
    features: int
    classes: int
    digest: str
    origin: Origin
    prepare: Callable[[Graph], Graph] = lambda graph: graph
    features_known: bool = True
    nodes_dropped: int = 0
    stored_as: str = ""

    @property
    def file(self) -> str:
        """The name of the graph's file in the data folder."""
        return f"{self.stored_as or self.name}.npz"

    def verified(self, graph: Graph, source: str) -> Graph:
        """The graph itself, if its content is what it should be; ``source`` says where it is from."""
        found, wrong = content_digest(graph, features=self.features_known), ""
        if found != self.digest:
            wrong = f"its content digest is {found}, expected {self.digest}"
        elif graph.num_features != self.features:
            wrong = f"it has {graph.num_features:,} features, expected {self.features:,}"
        if wrong:
            raise ValueError(f"{source} does not hold the graph {self.name!r}: {wrong}")
        # A verified graph is not rescaled; where the features are not covered, the file's mark counts.
        rescaled = graph.ranges_from_data and not self.features_known
        return replace(graph, name=self.name, num_classes=0, classes=(), ranges_from_data=rescaled)


def unlabeled_where_empty(graph: Graph) -> Graph:
    """Label -1 for the people without any feature: their label 0 only fills a gap in the source."""
    empty = np.diff(nonzero_features(graph).indptr) == 0
    return replace(graph, labels=np.where(empty, -1, graph.labels))


def ten_largest_classes(graph: Graph) -> Graph:
    """The people of the ten largest classes, and the friendships among them; classes keep their order."""
    classes = np.sort(np.argsort(-np.bincount(graph.labels), kind="stable")[:10])
    kept = np.isin(graph.labels, classes)
    number = np.cumsum(kept, dtype=np.int32) - 1
    return replace(
        graph,
        edges=number[graph.edges[:, kept[graph.edges].all(axis=0)]],
        features=graph.features[np.flatnonzero(kept)],
        labels=np.searchsorted(classes, graph.labels[kept]),
        num_classes=classes.size,
        classes=(),
    )


NAMED: dict[str, NamedGraph] = {
    graph.name: graph
    for graph in (
        NamedGraph(
            "cora", "Cora", "citations among machine-learning papers; words (Planetoid)",
            nodes=2_708, edges=5_278, features=1_433, classes=7,
            digest="0ea7c15a2c9d1760b1486da0eeb0ffa302fe8ed992f5ab4bf594c9ec3743fb3c",
            origin=PlanetoidFiles("Cora"),
        ),
        NamedGraph(
            "citeseer", "CiteSeer",
            "citations among papers; words; 15 papers have neither words nor label (Planetoid)",
            nodes=3_327, edges=4_552, features=3_703, classes=6,
            digest="f46a9eeba0e1594354609140484d1667edeeb4477f072f2b88450e6924ca369f",
            origin=PlanetoidFiles("CiteSeer"),
            prepare=unlabeled_where_empty,
        ),
        NamedGraph(
            "citeseer_lcc", "CiteSeer LCC", "the largest connected component of CiteSeer (Nettack)",
            nodes=2_110, edges=3_668, features=3_703, classes=6,
            digest="d187ebdea56b5c664452008ec44912dd4294f31da833525318f98e9f0e499e7f",
            origin=ByHand(
                "https://github.com/danielzuegner/nettack (data/citeseer.npz)",
                "no loader of PyTorch Geometric gives this component of this version of CiteSeer",
            ),
        ),
        NamedGraph(
            "pubmed", "PubMed", "citations among papers on diabetes; TF-IDF weights of words (Planetoid)",
            nodes=19_717, edges=44_324, features=500, classes=3,
            digest="ed4fa92c2b01905e11f81480c8cba1f406fec874ff2108fcb8c9363d0e4be1f6",
            origin=PlanetoidFiles("PubMed"),
        ),
        NamedGraph(
            "facebook", "Facebook", "mutual likes among Facebook pages; words of their descriptions (MUSAE)",
            nodes=22_470, edges=170_823, features=4_714, classes=4,
            digest="6bd7932b584c25acff0b60a07214b3812f3cdd899c23d55ed8c8c438a9878a55",
            origin=SnapArchive(f"{SNAP}/facebook_large.zip", "page_type", 4_714, FACEBOOK_PAGES),
        ),
        NamedGraph(
            "github", "GitHub",
            "mutual follows among GitHub developers; places, employers, starred projects (MUSAE)",
            nodes=37_700, edges=289_003, features=4_005, classes=2,
            digest="319f08920e9ea1c7e36c359618c5a531a95df576b4516cea428300a7fc94d81f",
            origin=SnapArchive(f"{SNAP}/git_web_ml.zip", "ml_target", 4_005),
        ),
        NamedGraph(
            "lastfm", "LastFM",
            "friendships among LastFM users; liked artists; the ten largest countries (FEATHER)",
            nodes=7_083, edges=25_814, features=7_842, classes=10,
            # The features were never seen when this digest was taken: it covers edges and labels.
            digest="89ed66d6a670867b1e6e4ec2cf9ef464760007e5b6d371adf303973b7a1c132c",
            origin=SnapArchive(f"{SNAP}/lastfm_asia.zip", "target", 7_842),
            prepare=ten_largest_classes,
            features_known=False,
            nodes_dropped=541,
        ),
        NamedGraph(
            "lastfm18", "LastFM (18 classes)", "the same with all eighteen countries, from the same file",
            nodes=7_624, edges=27_806, features=7_842, classes=18,
            digest="89ed66d6a670867b1e6e4ec2cf9ef464760007e5b6d371adf303973b7a1c132c",
            origin=SnapArchive(f"{SNAP}/lastfm_asia.zip", "target", 7_842),
            features_known=False,
            stored_as="lastfm",
        ),
        NamedGraph(
            "lastfm_structure", "LastFM (no features)", "lastfm without the artists, which are its features",
            nodes=7_083, edges=25_814, features=0, classes=10,
            digest="89ed66d6a670867b1e6e4ec2cf9ef464760007e5b6d371adf303973b7a1c132c",
            origin=SnapArchive(f"{SNAP}/lastfm_asia.zip", "target", 0),
            prepare=ten_largest_classes,
            features_known=False,
            nodes_dropped=541,
        ),
        NamedGraph(
            "coauthor_physics", "Coauthor Physics",
            "co-authors in physics; counts of keywords (Pitfalls of GNN evaluation)",
            nodes=34_493, edges=247_962, features=8_415, classes=5,
            digest="ae0c8f4760c1455267b399fd1c69e849d7df9f4dfc14ffe417dc43a8c7f42d7b",
            origin=ByHand(
                "https://github.com/EdisonLeeeee/GraphData (datasets/coauthor_phy.npz)",
                "PyTorch Geometric's Coauthor class turns the keyword counts into zeros and ones",
            ),
        ),
    )
}  # fmt: skip
"""Every named real graph, by name."""
