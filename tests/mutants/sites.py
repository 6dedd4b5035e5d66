"""The places of a program that can be changed, and the program with one of them changed."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COUNTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
LEFT_OUT = (ast.Assign, ast.AugAssign, ast.Raise, ast.Delete, ast.Break, ast.Continue)
"""Statements that are left out whole; so are calls whose value nobody takes."""


class Site(NamedTuple):
    """One change: in which line, at which node of the walk over the program, of which kind."""

    line: int
    node: int
    kind: str


def sites(program: str) -> list[Site]:
    """Return every change of what functions of the program do."""
    tree = ast.parse(program)
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in function.body
        for node in _without_annotations(statement)
    }
    numbered = enumerate(ast.walk(tree))
    return [
        Site(node.lineno, number, kind) for number, node in numbered if id(node) in inside for kind in _kinds(node)
    ]


def _without_annotations(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for name, value in ast.iter_fields(node):
        if name not in {"annotation", "returns", "decorator_list"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _without_annotations(child)


def _kinds(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Return(value=ast.expr()):
            yield "statement"
        case ast.Compare(ops=[operator]) if type(operator) in COMPARED:
            yield "operator"
        case ast.BinOp() | ast.AugAssign() if type(node.op) in COUNTED:
            yield "operator"
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            yield "operator"
        case ast.If() | ast.While() | ast.IfExp():
            yield "condition"
        case ast.Constant(value=bool() | int() | float()):
            yield "constant"
    if isinstance(node, LEFT_OUT):
        yield "statement"


def changed(program: str, site: Site) -> str:
    """Return the program with one place changed."""
    tree = ast.parse(program)
    nodes = list(ast.walk(tree))
    old = nodes[site.node]
    new = _other(old, site.kind)
    for parent in nodes:
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(each is old for each in value):
                value[next(at for at, each in enumerate(value) if each is old)] = new
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _other(node: ast.AST, kind: str) -> ast.AST:
    other = deepcopy(node)
    match kind, other:
        case "statement", ast.Return():
            other.value = None
            return other
        case "statement", _:
            return ast.copy_location(ast.Pass(), node)
        case "condition", _:
            other.test = ast.UnaryOp(ast.Not(), other.test)
            return other
        case "constant", ast.Constant(value=bool() as value):
            other.value = not value
            return other
        case "constant", ast.Constant(value=value):
            other.value = value + 1
            return other
        case _, ast.Compare(ops=[operator]):
            other.ops = [COMPARED[type(operator)]()]
            return other
        case _, ast.BinOp() | ast.AugAssign():
            other.op = COUNTED[type(other.op)]()
            return other
        case _, ast.BoolOp():
            other.op = ast.And() if isinstance(other.op, ast.Or) else ast.Or()
            return other
        case _, ast.UnaryOp():
            return other.operand
    raise ValueError(f"no {kind} at {ast.dump(node)}")
