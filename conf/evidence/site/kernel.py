"""The kernel in which the cells of analysis pages run: this interpreter, this build's records.

A kernelspec of the build's own, found before every other, says so. One of the same name in the home
folder may start another Python, which would know neither ``evidence`` nor numpy.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence.records.sources import RECORDS

if TYPE_CHECKING:
    from evidence.examples.library import Library

#: What starts the kernel; Jupyter finds it as it finds those of installed packages.
PROVISIONER = EntryPoint(
    name="measured-cuda",
    value="evidence.site.provisioner:FileProvisioner",
    group="jupyter_client.kernel_provisioners",
)

#: ``evidence`` is imported from here.
CONF = Path(__file__).parents[2]


def install(library: Library, folder: Path) -> None:
    """Write the kernelspec and what its kernel needs, and let Jupyter find it.

    :param folder: where they go; nothing else is in there
    """
    from jupyter_client.provisioning.factory import KernelProvisionerFactory

    KernelProvisionerFactory.instance().provisioners[PROVISIONER.name] = PROVISIONER
    records = folder / "records.json"
    paths = {stem: str(item.record_path) for stem, item in library.examples.items()}
    _write(records, dict(sorted(paths.items())))
    _write(folder / "kernels" / "python3" / "kernel.json", _spec(folder, records))
    found = os.environ.get("JUPYTER_PATH", "").split(os.pathsep)
    others = [path for path in found if path and path != str(folder)]
    os.environ["JUPYTER_PATH"] = os.pathsep.join([str(folder), *others])
    # Else each run is announced among the warnings: a11y_pygments lets every logger speak.
    logging.getLogger("traitlets").setLevel(logging.WARNING)


def _spec(folder: Path, records: Path) -> dict[str, Any]:
    # The kernel's working directory is the page's folder, where a relative path leads elsewhere.
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [str(CONF), *(str(Path(path).resolve()) for path in inherited if path)]
    return {
        "argv": [
            *(sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"),
            # It would tell the terminal that it was stopped.
            "--log-level=CRITICAL",
        ],
        "display_name": "Python 3",
        "language": "python",
        "metadata": {"kernel_provisioner": {"provisioner_name": PROVISIONER.name}},
        "env": {
            "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
            # Nothing of the home folder is run.
            "IPYTHONDIR": str(folder / "ipython"),
            RECORDS: str(records),
        },
    }


def _write(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
