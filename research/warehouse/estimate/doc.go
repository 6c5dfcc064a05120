// Package estimate says beforehand what a run is likely to use: statements, rows and bytes of the
// warehouse, tokens and calls of the model, money and minutes, phase by phase.
//
// It knows two ways. From the catalog and the settings it lays out the prompts of every step as the
// analyst does, because each step sends the system prompt again, and counts the statements that a
// search of each table takes. Where earlier runs of the project are known, their averages take the
// place of the assumptions. What has no price is named, never counted as free.
package estimate
