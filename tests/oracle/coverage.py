"""What was compared, what was not, and which defects of tshark were met."""

import defects


class Coverage:
    def __init__(self) -> None:
        self.values = 0
        self.compared: set[str] = set()
        self.examples: dict[str, str] = {}  # of each defect, one packet

    def equal(self, field: str, present: bool) -> None:
        if present:
            self.values += 1
            self.compared.add(field)

    def explained(self, field: str, defect: defects.Defect, example: str) -> None:
        self.examples.setdefault(defect.name, example)
        if defect.compares:
            self.equal(field, True)

    def report(self, fields: list[str], must_be_complete: bool) -> list[str]:
        """Prints what was met; gives what is wrong with it."""
        for defect in (*defects.DEFECTS, defects.CUT):
            if defect.name in self.examples:
                print(f"  tshark: {defect.name}: {defect.reason} ({self.examples[defect.name]})")
        if not must_be_complete:
            return []
        missing = set(fields) - self.compared
        print(f"{len(missing)} of these fields were never compared:")
        for field in sorted(missing):
            print(f"  {field}: {defects.NEVER_COMPARED.get(field, 'why?')}")
        wrong = [f"{field} was never compared" for field in sorted(missing - set(defects.NEVER_COMPARED))]
        compared = sorted(self.compared & set(defects.NEVER_COMPARED))
        wrong += [f"{field} was compared: it has no place in NEVER_COMPARED" for field in compared]
        names = [defect.name for defect in (*defects.DEFECTS, defects.CUT)]
        wrong += [f"no packet shows the defect: {name}" for name in names if name not in self.examples]
        return wrong
