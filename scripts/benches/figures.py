"""Prints the figures of a benchmark beside their goals."""

import asyncio
import os
import platform
import sys
import time
from math import inf


def title(heading: str) -> None:
    """Print the heading of a part: the subject of the measurement, and the machine."""
    print(f"\n{heading}\n(Python {platform.python_version()}, {os.cpu_count()} cores)\n")


def show(label: str, figure: str, goal: str = "") -> None:
    """Print one figure and its goal."""
    print(f"  {label:<58} {figure:>18}{f'   goal {goal}' if goal else ''}", flush=True)


def show_complaints(logged_errors: list[str]) -> None:
    """Print the first errors in a host's log."""
    print(*logged_errors[:5], sep="\n", end="\n" * bool(logged_errors), file=sys.stderr)


def show_spread(label: str, times: list[float], goal: str = "") -> None:
    """Show times in ms: the median, two percentiles and the longest."""
    figures = " ".join(f"{percentile(times, share) * 1e3:.1f}" for share in (0.5, 0.95, 0.99, 1))
    show(f"{label}, ms: p50 p95 p99 most", figures, goal)


def show_stages(bounds_before: dict[str, dict[float, float]], bounds_after: dict[str, dict[float, float]]) -> None:
    """Print the bounds of each stage's times, and the number of times over the 10 ms that a whole key may take."""
    print("\n  stage: how often; p50, p99, p99.9 and the slowest, as bounds; how often over 10 ms")
    for stage, bounds in bounds_after.items():
        counts = {bound: count - bounds_before[stage][bound] for bound, count in bounds.items()}
        total = counts[inf]
        if total:
            shares = (0.5, 0.99, 0.999, 1.0)
            limits = [min(bound for bound, count in counts.items() if count >= share * total) for share in shares]
            figures = " ".join(f"≤ {bound * 1e3:g}" for bound in limits)
            show(f"{stage}: {total:,.0f}", f"{figures} ms, {total - counts[0.01]:,.0f}")
    print()


def percentile(values: list[float], share: float) -> float:
    """Return the value that `share` of the values do not exceed."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * share))]


def rise(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the slope of the regression line through points, and its 95 % confidence interval."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    squared_deviations = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / squared_deviations
    squared_residuals = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in points)
    return slope, 1.96 * (squared_residuals / max(1, count - 2) / squared_deviations) ** 0.5


async def lateness(delays: list[float]) -> None:
    """Measure repeatedly, until cancelled, the delay with which this process is woken."""
    while True:
        due_time = time.perf_counter() + 0.02
        await asyncio.sleep(0.02)
        delays.append(time.perf_counter() - due_time)
