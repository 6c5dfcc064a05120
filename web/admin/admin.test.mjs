import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forecastAddress } from "./admin.js";

describe("the forecast", () => {
  const before = { sessionTurns: "40", keptFinishedDays: "90", keptIdleDays: "" };

  it("is asked for when days are changed, with all of them", () => {
    for (const [now, want] of [
      [{ ...before }, null],
      [{ ...before, sessionTurns: "3" }, null],
      [{ ...before, keptFinishedDays: " 90 " }, null],
      [{ ...before, keptFinishedDays: "30" }, "/f?keptFinishedDays=30&keptIdleDays="],
      [{ ...before, keptIdleDays: "7" }, "/f?keptFinishedDays=90&keptIdleDays=7"],
      [{ ...before, keptFinishedDays: "" }, "/f?keptFinishedDays=&keptIdleDays="],
      [{ ...before, keptIdleDays: "a&b" }, "/f?keptFinishedDays=90&keptIdleDays=a%26b"],
    ]) {
      assert.equal(forecastAddress("/f", before, now), want, JSON.stringify(now));
    }
  });
});
