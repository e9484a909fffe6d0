"""Prints measurements with their targets."""


def print_target(what, figure, unit, target, more=False):
    """Prints a measurement with its target, which is a minimum if `more` is true, otherwise a maximum."""
    reached = figure >= target if more else figure <= target
    sign = ">=" if more else "<="
    print(
        f"{what}: {figure:.3g} {unit} (target {sign} {target:.3g}{'' if reached else ': NOT REACHED'})",
        flush=True,
    )
