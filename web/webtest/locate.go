package webtest

const TwoLines = `{
  "contextType": "tiny", "version": "1.0.0", "displayName": "Tiny",
  "description": "One thing.",
  "obligations": [
    {"key": "a", "prompt": "A?", "priority": 9},
    {"key": "b", "prompt": "B?", "priority": 9}
  ],
  "phases": {"opening": {"goal": "g"}, "exploration": {"goal": "g"}, "validation": {"goal": "g"}, "closing": {"goal": "g"}},
  "completion": {"minObligationsSatisfied": 1, "minConfidenceScore": 0.5, "requiredObligations": ["a"]}
}`
