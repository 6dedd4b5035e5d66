"""A real browser opens a link to a game against bots: the time to the first picture of its table."""

import argparse
import asyncio
import os
import shutil
import sys
from statistics import median

from figures import show, title
from host_process import run_host
from playwright.async_api import BrowserContext, async_playwright

SCREENS = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
GOALS = {"cold": 200, "warm": 100}
"""Milliseconds until the entrance is painted, with an empty cache and not."""
MARKS = """
window.WebSocket = class extends WebSocket {
  constructor(...words) {
    super(...words);
    performance.mark("the line is opened");
    this.addEventListener("message", () => performance.mark("the host asks who it is"), {once: true});
    this.addEventListener("message", ({data}) => {
      if (!new Uint8Array(data)[0] && !this.shows) performance.mark("first bytes of the screen");
      this.shows ||= !new Uint8Array(data)[0];
    });
  }
  send(data) {
    if (!this.entered) performance.mark("the page answers");
    this.entered = true;
    super.send(data);
  }
};
"""
SEEN = """async (word) => {
  while (document.readyState === "loading") await new Promise(requestAnimationFrame);
  const {term} = await import(document.querySelector("script[type=module]").src.replace("main.js", "terminal.js"));
  const row = (_, place) => term.buffer.active.getLine(place)?.translateToString() ?? "";
  await new Promise((resolve) => {
    const look = () => Array.from({length: term.rows}, row).some((text) => text.includes(word)) && resolve();
    term.onRender(look);
    look();
  });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const files = performance.getEntriesByType("resource").filter(({name}) => name.includes("/static/"));
  return {
    "first picture": performance.now(),
    "the entrance is painted": performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    "the page": performance.getEntriesByType("navigation")[0].responseEnd,
    "its files": Math.max(...files.map(({responseEnd}) => responseEnd)),
    ...Object.fromEntries(performance.getEntriesByType("mark").map(({name, startTime}) => [name, startTime])),
  };
}"""
"""Waits until a frame with a word is painted; gives milliseconds since the link was followed."""


async def open_and_time(context: BrowserContext, url: str, *, empty: bool) -> dict[str, float]:
    """Open a link in a new tab, with an empty cache or not; return the milliseconds of each step."""
    page = await context.new_page()
    try:
        if empty:
            session = await context.new_cdp_session(page)
            await session.send("Network.clearBrowserCache")
        await page.goto(f"{url}g/draw", wait_until="commit")
        await page.click("#you .main")
        return await page.evaluate(SEEN, "round 1")
    finally:
        await page.close()


async def enter_once(context: BrowserContext, url: str, name: str) -> None:
    """Enter once under a name, as a player who returns later."""
    page = await context.new_page()
    await page.goto(url)
    await page.fill("#user", name)
    await page.click("#ways [data-go]")
    await page.evaluate(SEEN, f"{name}, in the lobby")
    await page.close()


async def main(runs: int, screens: list[str]) -> None:
    """Open the link again and again, and print the medians."""
    title(f"page: to the entrance, and by a click to a table, in Chromium on this machine; medians of {runs}, in ms")
    program = os.environ.get("BONEYARD_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    async with run_host(None, "--web", "127.0.0.1:0") as host, async_playwright() as playwright:
        url = f"http://127.0.0.1:{host.web}/"
        for screen in screens:
            chromium = await playwright.chromium.launch(executable_path=program)
            steps: dict[str, list[dict[str, float]]] = {kind: [] for kind in GOALS}
            for run in range(runs):
                context = await chromium.new_context(**SCREENS[screen])
                await context.add_init_script(MARKS)
                await enter_once(context, url, f"Ann{screen}{run}")
                for kind in GOALS:
                    steps[kind].append(await open_and_time(context, url, empty=kind == "cold"))
                await context.close()
            await chromium.close()
            for kind, goal in GOALS.items():
                for name in sorted(steps[kind][0], key=lambda name: median(run[name] for run in steps[kind])):
                    figures = sorted(run[name] for run in steps[kind])
                    figure = f"{median(figures):.0f} ({figures[0]:.0f} to {figures[-1]:.0f})"
                    show(
                        f"{screen}, {kind}: {name}", figure, f"≤ {goal}" if name == "the entrance is painted" else ""
                    )
        host.process.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load page", description=__doc__)
    parser.add_argument("--runs", type=int, default=11, help="how often the link is opened (default 11)")
    parser.add_argument("--screen", choices=SCREENS, action="append", help="which screen (default both)")
    chosen = parser.parse_args()
    if not sys.platform.startswith("linux"):
        sys.exit("boneyard: this benchmark reads /proc, so it needs Linux.")
    asyncio.run(main(chosen.runs, chosen.screen or list(SCREENS)))
