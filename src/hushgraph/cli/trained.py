"""What ``hushgraph train`` tells of a model, and of what it would be without features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushgraph.cli import console

if TYPE_CHECKING:
    from hushgraph.repeats import Repeat

# What is computed from what people hold; the rest follows from reports.
PRIVATE = ("graph", "test_accuracy", "half_width", "accuracies", "control")


def assessed(runs: list[Repeat]) -> dict[str, Any]:
    """Accuracies on test people, also of the controls, of which there may be none."""
    from hushgraph.collection.statement import adding_up

    control = {name: _accuracies([run.controls[name] for run in runs]) for name in runs[0].controls}
    return {
        **_accuracies([run.accuracy for run in runs]),
        "control": control,
        "seconds_a_run": sum(run.seconds for run in runs) / len(runs),
        "asked": runs[0].collected.campaign.asked,
        "collections": adding_up([run.collected.guarantee for run in runs]),
    }


def _accuracies(values: list[float]) -> dict[str, Any]:
    from hushgraph.metrics import mean_and_interval

    mean, half_width = mean_and_interval(values)
    return {"test_accuracy": mean, "half_width": half_width, "accuracies": values}


def marked(report: dict[str, Any]) -> dict[str, Any]:
    """What is computed from true labels and friendships, apart from what follows from reports."""
    private = {name: report[name] for name in PRIVATE}
    return {"private": private, **{name: value for name, value in report.items() if name not in PRIVATE}}


def facts(report: dict[str, Any]) -> dict[str, str]:
    """The same in words, as a table has it."""
    told = {"learned from": report.get("graph") or report["collected"]}
    if "test_accuracy" in report:
        told["test accuracy"] = _mean(report)
        told |= {f"{name} (control)": _mean(one) for name, one in report["control"].items()}
        told["runs"] = f"{len(report['accuracies'])} of {report['seconds_a_run']:.1f} s"
    if "accuracy_estimate" not in report:
        noisy = console.percent(report["noisy_validation_accuracy"])
        return told | {
            "best epoch": f"{report['best_epoch']} of {report['epochs']}",
            "validation accuracy on noisy labels": noisy,
        }
    low, high = (console.percent(end) for end in report["accuracy_interval"])
    estimate = f"{console.percent(report['accuracy_estimate'])} ({low} to {high})"
    return told | {"accuracy estimated from noisy labels": estimate, "features": _features(report)}


def _mean(figures: dict[str, Any]) -> str:
    interval = figures["half_width"] if len(figures["accuracies"]) > 1 else None
    return console.percent(figures["test_accuracy"], interval)


def _features(report: dict[str, Any]) -> str:
    if "features" not in report["asked"]:
        return "not asked for"
    return f"{'used' if report['uses_features'] else 'not used'} (z = {report['feature_evidence']:.1f})"
