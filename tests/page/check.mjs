// Counts what holds and names what does not.
let held = 0;
const failures = [];
let where = "";

export const at = (name) => (where = name);

export function check(condition, what) {
  if (condition) ++held;
  else failures.push(`${where}: ${what}`);
}

export function equal(got, expected, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  check(a === b, `${what}: ${a} where it should be ${b}`);
}

/** Says how it went; the exit code. */
export function finish() {
  const kMost = 40;
  for (const failure of failures.slice(0, kMost)) console.log(`FAILED ${failure}`);
  if (failures.length > kMost) console.log(`and ${failures.length - kMost} more`);
  console.log(`${held} checks held, ${failures.length} failed`);
  return failures.length > 0 || held === 0 ? 1 : 0;
}
