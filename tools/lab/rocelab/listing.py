"""`lab list`."""

from . import scenario


def print_scenarios(tags: list[str]) -> int:
    """One line a file: name, variants, tags, what it is about."""
    for file in scenario.files():
        variants = scenario.load(file)
        first = variants[0]
        if tags and not set(tags) & set(first.tags):
            continue
        print(f"{file.stem:24} {first.about}")
        if len(variants) > 1:
            print(f"{'':24} {', '.join(variant.name for variant in variants)}")
    return 0
