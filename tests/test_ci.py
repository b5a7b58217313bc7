"""What CI does before the README's commands: ``.ci/run`` finds a browser, or installs one."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from browser.pages import CHROMIUMS
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

RUN = (ROOT / ".ci" / "run").read_text("utf-8")
#: Stands in for what installs.
INSTALL = '#!/bin/sh\necho "$@" >>"$0.said"\n'


@pytest.mark.parametrize("browser", [*CHROMIUMS, "lynx"])
def test_a_browser_is_installed_where_there_is_none(
    tmp_path: Path, browser: str
) -> None:
    block = re.search("^if ! command -v .*?^fi", RUN, re.M | re.S)
    assert block
    for name, text in {"apt-get": INSTALL, "sudo": INSTALL, browser: ""}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)

    subprocess.run(
        ["/bin/bash", "-euc", block[0]], env={"PATH": str(tmp_path)}, check=True
    )

    said = tmp_path / "sudo.said"
    assert (browser in CHROMIUMS) is not said.exists()
    if said.exists():
        installs = "install -y -qq chromium-headless-shell fonts-dejavu-core"
        assert installs in said.read_text()
