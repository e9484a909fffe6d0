"""A figure beside its target."""


def told(what, figure, unit, target, more=False):
    """`more` says that the target is to be exceeded."""
    held = figure >= target if more else figure <= target
    sign = ">=" if more else "<="
    print(
        f"{what}: {figure:.3g} {unit} (target {sign} {target:.3g}{'' if held else ': NOT REACHED'})",
        flush=True,
    )
