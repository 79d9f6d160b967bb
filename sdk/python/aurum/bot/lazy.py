"""An attribute computed when it is first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - a decorator, as `property`
    """Like `functools.cached_property`, without the lock that makes that one slow before Python 3.12.

    With many games in flight a bot answers tens of thousands of turns a second, and looks at few of
    the attributes of each.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> "lazy[T] | T":
        if instance is None:
            return self
        # The instance's own attribute hides this descriptor from now on.
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
