package objectives

// What the tests of this package need from inside.
type (
	MigrationBody = migrationBody
)

var (
	ParseObjective = parseObjective
	Located        = located
)
