"""Interrupts at each step of the Python code of the package."""

import sys


def is_boundary(frame, event):
    """Whether the outermost frame of a public function begins or ends: the call itself is not interrupted there."""
    if not frame.f_code.co_filename.endswith("_public.py"):
        return False
    return "error" in frame.f_locals or frame.f_locals.get("scope") is None or event == "call"


class InterruptAt:
    """A trace function that raises KeyboardInterrupt at the given step of the package's code, as a signal would."""

    def __init__(self, step):
        self.rest = step

    def __call__(self, frame, event, argument):
        if frame.f_globals.get("__package__") not in ("cpaas", "cpaas.contrib"):
            return None
        if frame.f_code.co_name == "__del__":  # Python reports its exceptions as unraisable
            return None
        # Python runs no signal handler when a function returns.
        if event == "return" or is_boundary(frame, event):
            return self
        self.rest -= 1
        if self.rest == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return self
