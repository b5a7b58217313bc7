"""Starts a kernel with which the build speaks through files instead of ports of this machine.

So analysis pages run where there is no network at all, not even within the machine, and no other
user of the machine can listen.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager


class FileProvisioner(LocalProvisioner):
    """A local kernel whose sockets and connection file lie in a folder of its own."""

    folder: Path
    parent: KernelManager

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Choose where the sockets go, before the manager writes it down."""
        # Short: the path of a socket has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="kernel-"))
        self.parent.transport = "ipc"
        self.parent.ip = str(self.folder / "socket")
        self.parent.connection_file = str(self.folder / "connection.json")
        # What a cell writes comes as messages. The process itself, as it ends, now and then says
        # that a socket is gone; in the build's log that would be one warning more.
        return await super().pre_launch(**{**kwargs, "stderr": subprocess.DEVNULL})

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the folder."""
        await super().cleanup(restart)
        shutil.rmtree(self.folder, ignore_errors=True)
