"""DP-SGD: what Opacus is asked to do is what the accountant assumes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.stats import chi2
from torch import nn

from hushgraph.curator import dp_sgd
from hushgraph.curator.dp_sgd import Schedule, train
from hushgraph.mechanisms import SecureRandom

PEOPLE = 9


@pytest.fixture
def data():
    torch.manual_seed(0)
    return torch.randn(PEOPLE, 5) * 3, torch.randint(0, 3, (PEOPLE,))


@pytest.fixture
def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(5, 4), nn.SELU(), nn.Linear(4, 3))


def noisy_gradient(network, data, noise=1e-9, clip=0.5, seed=0, labels=None):
    """What one step on everybody releases; without a seed, noise is the operating system's."""
    rows, true = data
    source = SecureRandom() if seed is None else np.random.default_rng(seed)
    seen = []
    train(
        network, lambda ids: rows[ids], true if labels is None else labels,
        Schedule(epochs=1, learning_rate=0.01, clip=clip), source, noise_multiplier=noise,
        on_step=lambda clean, noisy: seen.append((clean.numpy(), noisy.numpy())),
    )  # fmt: skip
    ((clean, noisy),) = seen
    assert np.linalg.norm(clean) <= PEOPLE * clip * (1 + 1e-5)
    return noisy / PEOPLE


def clipped_mean(network, data, clip=0.5):
    total = 0
    for row, label in zip(*data, strict=True):
        network.zero_grad()
        nn.functional.cross_entropy(network(row[None]), label[None]).backward()
        gradient = torch.cat([parameter.grad.ravel() for parameter in network.parameters()])
        total = total + gradient * min(1.0, clip / gradient.norm())
    return (total / PEOPLE).numpy()


@pytest.mark.parametrize("chunk", [100, 4, 1])
def test_the_gradient_is_the_mean_of_clipped_ones_however_it_is_chunked(chunk, network, data, monkeypatch):
    expected = clipped_mean(network, data)
    monkeypatch.setattr(dp_sgd, "CHUNK", chunk)
    np.testing.assert_allclose(noisy_gradient(network, data), expected, atol=1e-6)


def test_one_person_changes_the_sum_by_the_clip_and_no_more(network, data):
    state = {name: value.clone() for name, value in network.state_dict().items()}
    everybody = noisy_gradient(network, data, clip=0.01)
    network.load_state_dict(state)
    labels = data[1].clone()
    labels[3] = -1
    without = noisy_gradient(network, data, clip=0.01, labels=labels)
    assert np.linalg.norm(PEOPLE * (everybody - without)) == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize("seeded", [True, False])
def test_the_noise_has_the_deviation_that_was_accounted(seeded, network, data):
    state = {name: value.clone() for name, value in network.state_dict().items()}
    drawn = []
    for seed in range(100):
        network.load_state_dict(state)
        drawn.append(noisy_gradient(network, data, noise=2.0, clip=0.1, seed=seed if seeded else None))
    deviations = np.std(drawn, axis=0) * PEOPLE
    assert deviations.mean() == pytest.approx(2.0 * 0.1, rel=0.06)


def test_an_empty_batch_releases_noise_alone(network, data):
    labels = torch.full((PEOPLE,), -1)
    gradient = noisy_gradient(network, data, noise=1.0, clip=1.0, labels=labels)
    assert 0.3 < np.std(gradient) * PEOPLE < 3


@pytest.mark.parametrize("source", [np.random.default_rng(0), SecureRandom()])
def test_everybody_is_drawn_on_their_own_account(source):
    """Sizes of 200 batches: mean 100 and variance 90, each with one false alarm in a million."""
    schedule = Schedule(epochs=20, batch_size=100)
    assert (schedule.rate(1000), schedule.steps(1000)) == (0.1, 200)
    sizes = [batch.numel() for batch in schedule.batches(1000, source)]
    assert len(sizes) == 200
    assert abs(np.mean(sizes) - 100) < 4.9 * (90 / 200) ** 0.5
    assert chi2.ppf(5e-7, 199) < np.var(sizes, ddof=1) * 199 / 90 < chi2.isf(5e-7, 199)


def test_a_batch_larger_than_the_data_is_refused():
    with pytest.raises(ValueError, match="batch_size must be at most the 5 people who train, got 6"):
        Schedule(epochs=1, batch_size=6).expected(5)
