package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// arrows lists what each package may import: ours by path below the module, others
// by prefix. The standard library is free to all. A package that is not in the table
// fails the test.
var arrows = map[string]struct{ ours, others []string }{
	"internal/fault":                        {nil, nil},
	"internal/telemetry":                    {nil, []string{"github.com/prometheus/client_golang", "github.com/lmittmann/tint"}},
	"internal/secret":                       {[]string{"internal/fault"}, nil},
	"internal/secret/seal":                  {[]string{"internal/secret"}, []string{"github.com/tink-crypto/tink-go/v2"}},
	"internal/postgres":                     {nil, []string{"github.com/jackc/pgx/v5"}},
	"internal/postgres/connect":             {[]string{"internal/fault", "internal/postgres"}, []string{"github.com/jackc/pgx/v5"}},
	"internal/feed":                         {nil, []string{"github.com/jackc/pgx/v5"}},
	"internal/language":                     {nil, []string{"golang.org/x/text"}},
	"internal/language/messages":            {[]string{"internal/language"}, []string{"golang.org/x/text"}},
	"internal/listening":                    {[]string{"internal/embedding", "internal/language"}, nil},
	"internal/listening/dialogs":            {nil, nil},
	"internal/listening/training":           {[]string{"internal/embedding", "internal/language", "internal/listening"}, nil},
	"internal/listening/training/questions": {[]string{"internal/embedding", "internal/listening"}, nil},
	"internal/listening/training/fields":    {[]string{"internal/embedding", "internal/listening"}, nil},
	"internal/listening/training/asker":     {[]string{"internal/embedding", "internal/listening"}, nil},
	"internal/listening/training/choices":   {[]string{"internal/embedding", "internal/listening"}, nil},
	"internal/lease":                        {[]string{"internal/fault"}, []string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
	"internal/postgres/cluster":             {[]string{"internal/fault", "internal/postgres"}, []string{"github.com/jackc/pgx/v5"}},
	"internal/postgres/postgrestest":        {[]string{"internal/fault", "internal/postgres", "internal/postgres/cluster", "internal/postgres/connect", "migrations"}, []string{"github.com/jackc/pgx/v5"}},
	"internal/embedding":                    {[]string{"internal/fault", "internal/language", "internal/llm"}, []string{"golang.org/x/text", "golang.org/x/sys"}},
	"internal/llm": {[]string{"internal/language", "internal/fault", "internal/outbound", "internal/telemetry", "internal/secret"},
		[]string{"github.com/openai/openai-go/v3", "github.com/failsafe-go/failsafe-go", "github.com/kaptinlin/jsonrepair", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text"}},
	"internal/llm/llmtest":       {nil, nil},
	"internal/npmpack":           {[]string{"internal/fault"}, nil},
	"internal/prerequisite":      {nil, nil},
	"internal/erasure":           {[]string{"internal/fault", "internal/postgres"}, []string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
	"internal/auth":              {[]string{"internal/fault", "internal/postgres", "internal/secret"}, []string{"github.com/jackc/pgx/v5"}},
	"migrations":                 {[]string{"internal/fault", "internal/postgres", "internal/postgres/connect"}, []string{"github.com/pressly/goose/v3", "github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
	"obligations":                {[]string{"internal/language", "internal/fault", "internal/postgres"}, []string{"github.com/jackc/pgx/v5", "github.com/pgvector/pgvector-go", "github.com/expr-lang/expr"}},
	"sessions":                   {[]string{"internal/language/messages", "internal/language", "sessions/objectives", "internal/fault", "internal/feed", "internal/postgres", "internal/telemetry", "obligations"}, []string{"github.com/jackc/pgx/v5", "github.com/google/uuid", "github.com/riverqueue/river"}},
	"sessions/objectives":        {[]string{"internal/language", "internal/fault", "internal/postgres", "obligations"}, []string{"github.com/jackc/pgx/v5", "github.com/google/uuid"}},
	"sessions/settings":          {[]string{"internal/language", "sessions/objectives", "internal/fault", "internal/postgres", "obligations", "sessions"}, []string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
	"internal/audio":             {[]string{"internal/fault"}, []string{"github.com/pion/opus"}},
	"internal/spoken":            {[]string{"internal/language", "internal/language/messages"}, nil},
	"internal/speech":            {[]string{"internal/fault", "internal/llm", "internal/secret"}, nil},
	"internal/speech/speechtest": {[]string{"internal/audio"}, nil},
	"internal/sandbox":           {nil, []string{"golang.org/x/sys"}},
	"internal/outbound":          {nil, []string{"code.dny.dev/ssrf"}},
	"sessions/settings/models": {[]string{"internal/fault", "internal/language", "internal/llm", "internal/postgres", "internal/secret", "internal/secret/seal", "sessions/settings"},
		[]string{"github.com/jackc/pgx/v5", "github.com/google/uuid"}},
	"research": {[]string{"internal/language", "internal/embedding", "internal/fault", "internal/lease", "internal/postgres", "internal/llm", "obligations", "sessions", "research/claims", "research/documents", "research/reader", "research/search", "internal/language/messages", "research/warehouse", "research/warehouse/inquiry"},
		[]string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river", "github.com/google/uuid", "golang.org/x/sync"}},
	"research/claims":                {[]string{"internal/language", "obligations"}, []string{"golang.org/x/text"}},
	"research/documents":             {[]string{"internal/language", "internal/embedding", "internal/fault", "internal/postgres", "research/search"}, []string{"github.com/jackc/pgx/v5", "github.com/pgvector/pgvector-go"}},
	"research/reader":                {[]string{"internal/language", "internal/fault", "internal/outbound", "internal/sandbox"}, []string{"codeberg.org/readeck/go-readability/v2", "github.com/JohannesKaufmann/html-to-markdown/v2", "github.com/ledongthuc/pdf", "github.com/temoto/robotstxt", "github.com/gogs/chardet", "golang.org/x/net", "golang.org/x/text", "golang.org/x/sys"}},
	"research/search":                {[]string{"internal/fault", "internal/secret"}, nil},
	"research/search/searchtest":     {nil, nil},
	"research/warehouse":             {[]string{"internal/language", "internal/secret", "research/warehouse/catalog", "research/warehouse/digest", "research/warehouse/guard"}, nil},
	"research/warehouse/inquiry":     {[]string{"internal/language", "internal/language/messages", "research/warehouse/digest"}, nil},
	"research/warehouse/catalog":     {[]string{"internal/language"}, nil},
	"research/warehouse/digest":      {[]string{"internal/language"}, nil},
	"research/warehouse/tokens":      {nil, []string{"github.com/tiktoken-go/tokenizer"}},
	"research/warehouse/guard":       {[]string{"internal/language"}, []string{"github.com/pganalyze/pg_query_go/v6", "github.com/pingcap/tidb/pkg/parser"}},
	"research/warehouse/duckdb":      {append([]string{"internal/sandbox"}, warehouseParts...), []string{"github.com/duckdb/duckdb-go-bindings", "golang.org/x/sys"}},
	"research/warehouse/wire":        {warehouseParts, nil},
	"research/warehouse/pgwire":      {warehouseParts, []string{"github.com/jackc/pgx/v5"}},
	"research/warehouse/mysql":       {warehouseParts, []string{"github.com/go-sql-driver/mysql"}},
	"research/warehouse/clickhouse":  {warehouseParts, []string{"github.com/ClickHouse/clickhouse-go/v2"}},
	"research/warehouse/sqlserver":   {warehouseParts, []string{"github.com/microsoft/go-mssqldb"}},
	"research/warehouse/bigquery":    {warehouseParts, []string{"cloud.google.com/go/bigquery", "cloud.google.com/go/civil", "golang.org/x/oauth2", "google.golang.org/api"}},
	"research/warehouse/snowflake":   {warehouseParts, []string{"github.com/snowflakedb/gosnowflake"}},
	"research/warehouse/connections": {append([]string{"internal/postgres", "research/warehouse/schema", "internal/secret/seal"}, warehouseParts...), []string{"github.com/jackc/pgx/v5", "github.com/google/uuid", "github.com/riverqueue/river"}},
	"research/warehouse/schema":      {append([]string{"internal/embedding", "internal/postgres"}, warehouseParts...), []string{"github.com/jackc/pgx/v5", "github.com/pgvector/pgvector-go"}},
	"research/warehouse/packs":       {[]string{"internal/fault", "research/warehouse"}, []string{"github.com/santhosh-tekuri/jsonschema/v6"}},
	"research/warehouse/projects":    {[]string{"internal/language", "internal/fault", "internal/postgres", "research/warehouse", "research/warehouse/catalog", "research/warehouse/guard", "research/warehouse/packs", "research/warehouse/tokens"}, []string{"github.com/jackc/pgx/v5", "github.com/robfig/cron/v3"}},
	"research/warehouse/packdrafts":  {append([]string{"internal/llm", "internal/postgres", "research/claims", "research/reader", "research/warehouse/packs", "research/warehouse/projects"}, warehouseParts...), []string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
	"research/warehouse/estimate":    {[]string{"research/warehouse", "research/warehouse/prices"}, nil},
	"research/warehouse/prices":      {[]string{"internal/fault", "internal/postgres", "research/warehouse"}, []string{"github.com/jackc/pgx/v5"}},
	"research/warehouse/repair":      {append([]string{"internal/llm", "research/warehouse/packs"}, warehouseParts...), nil},
	"research/warehouse/analyst":     {append([]string{"internal/llm", "research/warehouse/insight", "research/warehouse/tokens"}, warehouseParts...), nil},
	"research/warehouse/builtin":     {warehouseParts, nil},
	"research/warehouse/question":    {append([]string{"internal/llm", "internal/language/messages", "research/warehouse/builtin", "research/warehouse/connections", "research/warehouse/inquiry", "research/warehouse/metrics", "research/warehouse/repair", "research/warehouse/schema"}, warehouseParts...), nil},
	"research/warehouse/insight":     {append([]string{"research/warehouse/builtin"}, warehouseParts...), nil},
	"research/warehouse/pick":        {append([]string{"research/warehouse/tokens"}, warehouseParts...), nil},
	"research/warehouse/metrics":     {append([]string{"internal/postgres", "research/warehouse/connections", "research/warehouse/schema"}, warehouseParts...), []string{"github.com/jackc/pgx/v5", "go.yaml.in/yaml/v3", "golang.org/x/text"}},
	"research/warehouse/sampledata":  {[]string{"internal/fault", "internal/npmpack"}, nil},
	"research/warehouse/runs": {append([]string{"internal/embedding", "internal/feed", "internal/lease", "internal/llm", "internal/postgres", "research/warehouse/analyst", "research/warehouse/insight", "research/warehouse/repair", "research/warehouse/packs", "research/warehouse/pick", "research/warehouse/prices", "research/warehouse/projects", "research/warehouse/tokens"}, warehouseParts...),
		[]string{"github.com/jackc/pgx/v5", "github.com/pgvector/pgvector-go", "github.com/riverqueue/river"}},
	"chat": {[]string{"chat/support", "internal/spoken", "internal/language/messages", "internal/language", "sessions/objectives", "internal/embedding", "internal/fault", "internal/postgres", "internal/llm", "obligations", "sessions", "research", "research/claims", "sessions/settings"},
		[]string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river", "github.com/google/uuid"}},
	"chat/voice":         {[]string{"chat", "internal/audio", "internal/fault", "internal/postgres", "internal/language/messages", "internal/speech", "internal/spoken", "obligations", "sessions"}, []string{"github.com/jackc/pgx/v5"}},
	"chat/support":       {[]string{"internal/language", "internal/listening", "obligations"}, nil},
	"chat/brief":         {[]string{"internal/language", "internal/language/messages", "sessions/objectives", "internal/postgres", "obligations", "research", "sessions"}, []string{"codeberg.org/go-pdf/fpdf", "golang.org/x/image", "golang.org/x/text"}},
	"chat/eval/scripted": {[]string{"internal/listening", "sessions/objectives"}, nil},
	"chat/eval":          {[]string{"sessions/objectives", "chat", "internal/language", "internal/language/messages", "internal/listening", "internal/postgres", "obligations", "sessions"}, []string{"golang.org/x/sync"}},
	"chat/model": {[]string{"internal/language/messages", "internal/language", "chat", "internal/fault", "internal/llm", "internal/postgres", "obligations", "research", "research/documents", "sessions"},
		[]string{"github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
	"chat/field":           {[]string{"internal/language", "internal/language/messages", "internal/listening", "obligations", "sessions"}, nil},
	"chat/reading":         {[]string{"chat", "chat/field", "internal/language", "internal/language/messages", "internal/listening", "obligations", "research/claims", "sessions"}, nil},
	"chat/rules/esperanto": {nil, nil}, // only a test: an interview in a language of files
	"chat/rules":           {[]string{"chat", "chat/field", "chat/reading", "internal/language", "internal/language/messages", "internal/listening", "obligations", "research", "sessions"}, nil},
	"chat/chattest":        {[]string{"chat", "internal/listening", "obligations", "research", "sessions", "sessions/objectives"}, nil},
	"web/static":           {nil, nil},
	"web/ui": {[]string{"internal/language", "internal/language/messages", "obligations", "sessions", "web/static"},
		[]string{"github.com/a-h/templ", "github.com/microcosm-cc/bluemonday", "github.com/yuin/goldmark"}},
	"web": {[]string{"internal/auth", "internal/fault", "internal/language", "internal/postgres", "internal/telemetry", "obligations", "sessions", "sessions/objectives", "web/static", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/andybalholm/brotli", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/google/uuid", "github.com/jackc/pgx/v5"}},
	"web/tasks": {[]string{"internal/fault", "research", "web/ui"},
		[]string{"github.com/a-h/templ"}},
	"web/talk": {[]string{"chat", "chat/voice", "internal/audio", "internal/auth", "internal/speech", "internal/fault", "internal/postgres", "obligations", "research", "sessions", "sessions/objectives", "web", "web/static", "web/tasks", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/coder/websocket", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/google/uuid", "golang.org/x/sync"}},
	"web/review": {[]string{"chat", "chat/brief", "internal/auth", "internal/fault", "internal/language", "internal/postgres", "obligations", "research", "sessions", "sessions/objectives", "web", "web/static", "web/tasks", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/google/uuid"}},
	"web/objectives": {[]string{"chat", "internal/auth", "internal/fault", "internal/language", "obligations", "sessions", "sessions/objectives", "web", "web/static", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5"}},
	"web/data": {[]string{"chat/brief", "internal/auth", "internal/fault", "internal/secret", "research", "research/warehouse", "research/warehouse/catalog", "research/warehouse/connections", "research/warehouse/digest", "research/warehouse/guard", "research/warehouse/metrics", "research/warehouse/packs", "research/warehouse/projects", "research/warehouse/runs", "research/warehouse/sampledata", "research/warehouse/schema", "research/warehouse/wire", "web", "web/static", "web/ui", "obligations", "sessions", "sessions/objectives", "internal/language", "research/warehouse/insight", "research/warehouse/pick", "research/warehouse/packdrafts", "sessions/settings", "research/warehouse/estimate", "research/warehouse/prices", "sessions/settings/models"},
		[]string{"github.com/a-h/templ", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/google/uuid"}},
	"web/research": {[]string{"chat", "internal/auth", "internal/fault", "internal/language", "obligations", "research", "research/warehouse/question", "sessions", "web", "web/static", "web/tasks", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/google/uuid"}},
	"web/admin": {[]string{"chat", "internal/auth", "internal/fault", "internal/llm", "internal/postgres", "internal/secret", "obligations", "research", "sessions", "sessions/settings", "sessions/settings/models", "web", "web/static", "web/tasks", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/jackc/pgx/v5"}},
	"web/share": {[]string{"chat", "chat/brief", "internal/auth", "internal/fault", "internal/postgres", "obligations", "sessions", "web", "web/static", "web/ui"},
		[]string{"github.com/a-h/templ", "github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5"}},
	"web/mcp": {[]string{"chat", "chat/brief", "internal/auth", "internal/fault", "internal/language/messages", "obligations", "research/warehouse", "research/warehouse/connections", "research/warehouse/digest", "research/warehouse/metrics", "research/warehouse/projects", "research/warehouse/question", "research/warehouse/runs", "research/warehouse/schema", "sessions", "sessions/objectives", "web", "web/static", "web/ui"},
		[]string{"github.com/danielgtaylor/huma/v2", "github.com/go-chi/chi/v5", "github.com/modelcontextprotocol/go-sdk"}},
	"web/webtest": {[]string{"chat", "chat/model", "chat/rules", "internal/auth", "internal/audio", "internal/speech", "internal/listening", "internal/llm", "internal/llm/llmtest", "internal/outbound", "internal/postgres", "internal/postgres/postgrestest", "internal/secret/seal", "internal/telemetry", "migrations", "obligations", "research", "research/reader", "research/warehouse", "research/warehouse/catalog", "research/warehouse/connections", "research/warehouse/guard", "research/warehouse/packdrafts", "research/warehouse/pgwire", "research/warehouse/metrics", "research/warehouse/projects", "research/warehouse/runs", "research/warehouse/sampledata", "research/warehouse/schema", "research/warehouse/wire", "sessions", "sessions/objectives", "sessions/settings", "sessions/settings/models", "web", "web/admin", "web/data", "web/mcp", "web/objectives", "web/research", "web/review", "web/share", "web/talk", "web/tasks", "research/search", "research/warehouse/question", "research/warehouse/estimate", "research/warehouse/prices"},
		[]string{"github.com/a-h/templ", "github.com/andybalholm/brotli", "github.com/coder/websocket", "github.com/go-chi/chi/v5", "github.com/google/uuid", "github.com/jackc/pgx/v5", "github.com/riverqueue/river", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/net"}},
	"cmd/quaestor": {[]string{"internal/language", "internal/listening", "internal/listening/dialogs", "sessions/objectives", "chat", "chat/eval", "chat/eval/scripted", "chat/model", "chat/rules", "internal/auth", "internal/embedding", "internal/erasure", "internal/fault", "internal/llm", "internal/outbound", "internal/postgres", "internal/postgres/cluster", "internal/postgres/connect", "internal/secret", "internal/telemetry", "migrations", "obligations", "research", "research/documents", "research/reader", "research/search", "sessions", "chat/brief", "web", "web/admin", "web/data", "web/mcp", "web/objectives", "web/research", "web/review", "web/share", "web/talk", "sessions/settings", "sessions/settings/models", "internal/speech", "internal/secret/seal", "research/warehouse", "research/warehouse/analyst", "research/warehouse/bigquery", "research/warehouse/builtin", "research/warehouse/catalog", "research/warehouse/clickhouse", "research/warehouse/connections", "research/warehouse/digest", "research/warehouse/duckdb", "research/warehouse/insight", "research/warehouse/repair", "research/warehouse/mysql", "research/warehouse/pgwire", "research/warehouse/metrics", "research/warehouse/projects", "research/warehouse/runs", "research/warehouse/sampledata", "research/warehouse/schema", "research/warehouse/snowflake", "research/warehouse/sqlserver", "research/warehouse/wire", "research/warehouse/question", "research/warehouse/packdrafts", "research/warehouse/estimate", "research/warehouse/prices", "research/warehouse/tokens", "research/warehouse/inquiry"},
		[]string{"github.com/alecthomas/kong", "github.com/joho/godotenv", "github.com/jackc/pgx/v5", "github.com/google/uuid", "github.com/riverqueue/river"}},
	"cmd/bench": {[]string{"chat/eval", "chat/eval/scripted", "internal/listening", "internal/listening/dialogs", "internal/postgres/cluster", "sessions", "sessions/objectives"}, []string{"github.com/andybalholm/brotli", "github.com/coder/websocket", "github.com/jackc/pgx/v5", "github.com/riverqueue/river"}},
}

// warehouseParts are what every part of a warehouse run stands on.
var warehouseParts = []string{"internal/fault", "internal/language", "internal/secret", "internal/outbound", "research/warehouse", "research/warehouse/wire", "research/warehouse/catalog", "research/warehouse/digest", "research/warehouse/guard"}

// generated packages belong to their owner alone: the compiler sees to that.
var generated = []string{"github.com/jackc/pgx/v5", "github.com/pgvector/pgvector-go"}

const module = "quaestor/"

type listed struct {
	ImportPath string
	Imports    []string
}

func TestArrows(t *testing.T) {
	t.Parallel()

	packages := list(t)
	if len(packages) < 15 {
		t.Fatalf("go list gave %d packages; the test looks in the wrong place", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasSuffix(name, "internal/dbsqlc") {
			check(t, name, p.Imports, nil, generated)
			continue
		}
		may, known := arrows[name]
		if !known {
			t.Errorf("%s is not in the table of arrows; add a row and say why in docs/architecture.md", name)
			continue
		}
		check(t, name, p.Imports, append(slices.Clone(may.ours), path.Join(name, "internal/dbsqlc")), may.others)
	}
}

// maxDepth is how many imports may stand in a row, from the program down to what
// imports nothing of ours: the floors that a reader has to pass through.
const maxDepth = 8

func TestImportPathsStayShort(t *testing.T) {
	t.Parallel()

	imports := map[string][]string{}
	for _, p := range list(t) {
		imports[p.ImportPath] = p.Imports
	}
	longest := map[string][]string{} // the longest path that begins at a package
	var walk func(p string) []string
	walk = func(p string) []string {
		if known, ok := longest[p]; ok {
			return known
		}
		var below []string
		for _, i := range imports[p] {
			if strings.HasPrefix(i, module) && len(walk(i)) > len(below) {
				below = walk(i)
			}
		}
		longest[p] = append([]string{strings.TrimPrefix(p, module)}, below...)
		return longest[p]
	}
	for p := range imports {
		if row := walk(p); len(row)-1 > maxDepth {
			t.Errorf("%d imports in a row, at most %d are allowed: %s", len(row)-1, maxDepth, strings.Join(row, " -> "))
		}
	}
}

func check(t *testing.T, name string, imports, ours, others []string) {
	t.Helper()
	for _, i := range imports {
		own, isOwn := strings.CutPrefix(i, module)
		switch {
		case isOwn && !slices.Contains(ours, own):
			t.Errorf("%s may not import %s", name, own)
		case !isOwn && strings.Contains(strings.Split(i, "/")[0], ".") && !slices.ContainsFunc(others, func(o string) bool { return i == o || strings.HasPrefix(i, o+"/") }):
			t.Errorf("%s may not import %s", name, i)
		}
	}
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("read go list: %v", err)
		}
		all = append(all, p)
	}
}
