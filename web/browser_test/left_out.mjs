// What this run of the tests does without; make test names it in its last line.

const parts = (process.env.QUAESTOR_TEST_WITHOUT ?? "").split(" ");

/** without(part, …) says why a test is skipped that needs these parts, or false. */
export function without(...names) {
  const missing = names.filter((name) => parts.includes(name));
  return missing.length > 0 && `${missing.join(", ")} left out by QUAESTOR_TEST_WITHOUT`;
}
