"""The entry points of the installed package."""

from importlib.metadata import entry_points


def has_plugin_entry_point():
    """Whether the installed package registers the pytest plugin, as a wheel does."""
    return any(point.value == "cpaas.pytest_plugin" for point in entry_points(group="pytest11"))
