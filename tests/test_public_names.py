import subprocess
import sys

import pytest

import hushgraph as hg

BLOCKED = """
import sys

class NotInstalled:
    def find_spec(name, path=None, target=None):
        if name in ("torch", "scipy", "pandas", "networkx", "torch_geometric", "typer", "rich", "matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled)
"""

DEVICE = """
import numpy as np
import hushgraph as hg

features, ledger = np.eye(4)[:3], hg.Ledger(epsilon=10.0, delta=1e-4)
for mechanism in (hg.MultiBit(1.0), hg.OneBit(1.0), hg.Laplace(1.0), hg.AnalyticGaussian(1.0, 1e-5)):
    for rng in (np.random.default_rng(0), hg.SecureRandom()):
        assert mechanism.estimate(mechanism.randomize(features, rng)).shape == (3, 4)
    ledger.spend(type(mechanism).__name__, mechanism.guarantee, range(3))
response = hg.RandomizedResponse(1.0, 3)
assert response.estimate(response.randomize([0, 1, 2], hg.SecureRandom())).shape == (3, 3)
assert [ledger.spent(person)[0] for person in range(3)] == [4.0] * 3
asked = hg.Campaign(
    classes=["a", "b"], num_features=4, features=hg.MultiBit(1.0), labels=hg.RandomizedResponse(1.0),
    lists=hg.AdjacencyRandomizedResponse(4.0), num_people=3,
)
report = hg.answer(hg.Campaign.from_json(asked.to_json()), 1, features=features[1], label="b", friends=[0, 2])
reports, refused = hg.Reports.gather(asked, [report.to_json()])
assert len(reports) == 1 and not refused
hg.assemble(asked, reports)
"""


def run(code):
    """Runs code in a fresh interpreter, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_device_side_works_with_numpy_alone():
    run(BLOCKED + DEVICE)


@pytest.mark.parametrize("name", ["LPGNN", "GridSearch", "Graph", "collect", "KProp", "kprop"])
def test_what_needs_more_says_what_to_install(name):
    code = f"""
import hushgraph as hg
try:
    hg.{name}
except ImportError as error:
    print(error)
"""
    said = run(BLOCKED + code)
    assert f"hushgraph.{name} needs" in said
    assert "hushgraph[train]" in said


def test_importing_hushgraph_does_not_load_what_devices_lack():
    loaded = run("import sys, hushgraph; print([name for name in ('torch', 'scipy') if name in sys.modules])")
    assert loaded.strip() == "[]"


@pytest.mark.parametrize("name", hg.__all__)
def test_every_public_name_leads_somewhere(name):
    assert getattr(hg, name) is not None
    assert name in dir(hg)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        hg.nonsense  # noqa: B018
