"""Prints measurements with their targets."""


def print_target(what, figure, unit, target, more=False):
    """`more`: whether the target is a minimum."""
    reached = figure >= target if more else figure <= target
    sign = ">=" if more else "<="
    print(
        f"{what}: {figure:.3g} {unit} (target {sign} {target:.3g}{'' if reached else ': NOT REACHED'})",
        flush=True,
    )
