"""The alert rules, the dashboard and the runbook: about metrics that exist, with a page for each alert."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from net.host.metrics import PrometheusMetrics

OPERATING = Path(__file__).parents[1] / "docs" / "operating"
RULES = yaml.safe_load((OPERATING / "alerts.yaml").read_text())["groups"][0]["rules"]
PANELS = json.loads((OPERATING / "dashboard.json").read_text())["panels"]
OF_PROCESS = {"process_resident_memory_bytes", "process_open_fds", "process_max_fds", "process_cpu_seconds_total"}


def metric_names():
    """Return the names of all metrics of a server, with those of histograms and counters."""
    names = {family.name for family in PrometheusMetrics().registry.collect()}
    return {name + ending for name in names for ending in ("", "_total", "_bucket", "_count", "_sum")} | OF_PROCESS


EXPRESSIONS = [rule["expr"] for rule in RULES] + [target["expr"] for panel in PANELS for target in panel["targets"]]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_alerts_and_panels_use_metrics_that_exist(expression):
    used = set(re.findall(r"\b(?:boneyard|process)_\w+", expression))
    assert used <= metric_names()


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_each_alert_has_a_page_that_says_where_to_look_and_what_to_do(rule):
    page = (OPERATING / rule["annotations"]["runbook_url"].removeprefix("docs/operating/")).read_text()
    assert page.startswith(f"# {rule['alert']}\n")
    assert "## Look" in page
    assert "## Do" in page


@pytest.mark.skipif(not shutil.which("promtool"), reason="needs promtool of Prometheus")
def test_prometheus_accepts_the_alert_rules():
    subprocess.run(["promtool", "check", "rules", OPERATING / "alerts.yaml"], check=True, capture_output=True)
