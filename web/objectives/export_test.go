package objectives

// What the tests of this package reach into.
type (
	MigrationBody = migrationBody
)

var (
	ParseObjective = parseObjective
	Located        = located
)
