"""Makes one statement of a running program raise once: Python imports this first if it is on the path.

With BONEYARD_INJECTION=FOLDER every statement in a function of `net`, `core`, `tui.serve` and `tui.terminal` is
preceded by a check of its own flag. Orders come to a socket in the folder, named by the process: `look` records the
statements that run from now on, `ran` answers with their numbers, and `arm NUMBER ERROR TIMES` makes one raise at
that execution. `where NUMBER` describes it, `fired` tells if it has raised, `tasks` lists what the process waits for.
"""

import ast
import asyncio
import gc
import importlib.abc
import importlib.machinery
import os
import socket
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]
ERRORS = {
    "RuntimeError": lambda: RuntimeError("injected"),
    "MemoryError": lambda: MemoryError("injected"),
    "CancelledError": lambda: asyncio.CancelledError("injected"),
    "OSError": lambda: OSError(5, "injected"),
}
FLAGS = bytearray(60_000)
WHERE = []
"""By number, the file, the line, and whether it waits."""
state = {"ran": set(), "armed": -1, "left": 0, "error": "", "fired": ""}


def hit(number):
    """Handle the execution of a statement whose flag is set."""
    if state["armed"] != number:
        FLAGS[number] = 0
        state["ran"].add(number)
        return
    state["left"] -= 1
    if state["left"] <= 0:
        FLAGS[number] = 0
        state["armed"] = -1
        state["fired"] = state["error"]
        raise ERRORS[state["error"]]()


class Marker(ast.NodeTransformer):
    """Puts the check of its flag before each statement of a function; `try` alone can never fail."""

    def __init__(self, file):
        self.file = file
        self.inside = 0

    def visit(self, node):
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        self.inside += function
        node = self.generic_visit(node)
        self.inside -= function
        return node

    def generic_visit(self, node):
        super().generic_visit(node)
        if self.inside:
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    setattr(node, name, self.marked(block, first=name == "body" and hasattr(node, "args")))
        return node

    def marked(self, block, *, first):
        new = []
        for at, statement in enumerate(block):
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not ((first and at == 0 and text) or isinstance(statement, ast.Global | ast.Nonlocal | ast.Try)):
                waits = any(
                    isinstance(child, ast.Await | ast.AsyncWith | ast.AsyncFor) for child in ast.walk(statement)
                )
                WHERE.append((self.file, statement.lineno, waits))
                look = ast.parse(f"if injection_flags_[{len(WHERE) - 1}]: injection_hit_({len(WHERE) - 1})").body[0]
                new.append(ast.copy_location(look, statement))
            new.append(statement)
        return new


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with its statements marked."""

    def get_code(self, fullname):
        return self.source_to_code(Path(self.path).read_bytes(), self.path)

    def source_to_code(self, data, path, *, _optimize=-1):
        tree = ast.fix_missing_locations(Marker(str(Path(path).relative_to(ROOT))).visit(ast.parse(data)))
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)

    def exec_module(self, module):
        vars(module).update(injection_flags_=FLAGS, injection_hit_=hit)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules whose statements are marked."""

    def find_spec(self, name, path, target=None):
        if name.startswith(("net.", "core.", "tui.serve.", "tui.terminal.")):
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec is not None and spec.origin and spec.origin.endswith(".py"):
                spec.loader = Loader(name, spec.origin)
                return spec
        return None


def waits(task):
    """Return the stack of a waiting task, from its outermost function to its innermost."""
    places, at = [], task.get_coro()
    while frame := getattr(at, "cr_frame", None):
        places.append(f"{frame.f_code.co_qualname}:{frame.f_lineno}")
        at = at.cr_await
    return " > ".join(places)


def answer(order):
    """Carry out an order."""
    match order.split():
        case ["look"]:
            state["ran"].clear()
            for number in range(len(WHERE)):
                FLAGS[number] = 1
        case ["ran"]:
            for number in range(len(WHERE)):
                FLAGS[number] = 0
            return " ".join(map(str, sorted(state["ran"])))
        case ["where", number]:
            return " ".join(map(str, WHERE[int(number)]))
        case ["arm", number, error, times]:
            state.update(error=error, left=int(times), fired="", armed=int(number))
            FLAGS[int(number)] = 1
        case ["disarm"]:
            if state["armed"] >= 0:
                FLAGS[state["armed"]] = 0
            state["armed"] = -1
        case ["fired"]:
            return state["fired"]
        case ["tasks"]:
            return " | ".join(map(waits, [task for task in gc.get_objects() if isinstance(task, asyncio.Task)]))
    return ""


def take_orders(folder):
    """Answer orders forever."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"{folder}/{os.getpid()}")
    listening.listen()
    while True:
        connection, _ = listening.accept()
        with connection, connection.makefile("rw") as file:
            for order in file:
                file.write(answer(order) + "\n")
                file.flush()


if folder := os.environ.get("BONEYARD_INJECTION"):
    sys.meta_path.insert(0, Finder())
    if not any("net.host.workers" in word for word in sys.orig_argv):
        threading.Thread(target=take_orders, args=(folder,), daemon=True).start()
