"""The same epochs on a GPU and on the CPU beside it: prints JSON.

python benchmarks/gpu.py > docs/results/gpu.json
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).parent


def measured(script: str, *words: str, gpu: bool) -> dict[str, Any]:
    environment = dict(os.environ) if gpu else os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, str(HERE / script), *words]
    finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    result: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return result


def main() -> None:
    rows = []
    for dataset in ("cora", "facebook"):
        gpu, cpu = (
            measured("side.py", "hushgraph", dataset, "200", gpu=on)["epoch_seconds"] for on in (True, False)
        )
        rows.append({"graph": dataset, "gpu_seconds": gpu, "cpu_seconds": cpu})
    gpu, cpu = (
        measured("million.py", "--device", "cuda" if on else "cpu", gpu=on)["seconds_an_epoch"]
        for on in (True, False)
    )
    rows.append({"graph": "a million people", "gpu_seconds": gpu, "cpu_seconds": cpu})
    words = ("--method", "cascade", "--device")
    cascade = {
        device: measured("million.py", *words, device, gpu=device == "cuda")["seconds_to_fit"]
        for device in ("cuda", "cpu")
    }
    found = {"gpu": torch.cuda.get_device_name(), "cpus": os.cpu_count(), "epochs": rows}
    print(json.dumps(found | {"seconds_of_a_million_peoples_cascade": cascade}, indent=1))


if __name__ == "__main__":
    main()
