"""The pages that are tested, and what axe-core finds on one."""

import pytest

PAGES = ["overview", "plan", "utilisation", "alerts", "device", "cases", "devices", "venues", "quality", "status", "operators", "audit", "account"]


def violations(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is missing; scripts/setup --tests installs it")
    return [
        f"{rule['id']}: {node['target']}: {node.get('failureSummary')}"
        for rule in axe.Axe().run(page).response["violations"] for node in rule["nodes"]]
