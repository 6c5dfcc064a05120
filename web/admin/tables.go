package admin

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
)

// tenantTables lists every table that has tenants, with the columns that are
// exported: all but what is made anew from the others (vectors, words to be searched
// for) and bytes that are not the content of a file (hashes, what is sealed). The
// audit trail is told event by event, by its view.
const tenantTables = `SELECT c.table_name, string_agg(quote_ident(c.column_name), ', ' ORDER BY c.ordinal_position)
FROM information_schema.columns AS c
WHERE c.table_schema = 'public' AND c.table_name <> 'obligation_trail' AND c.udt_name NOT IN ('tsvector', 'vector', 'halfvec') AND (c.udt_name <> 'bytea' OR c.column_name = 'bytes')
    AND EXISTS (SELECT FROM information_schema.columns AS t WHERE t.table_schema = 'public' AND t.table_name = c.table_name AND t.column_name = 'tenant_id')
GROUP BY c.table_name
ORDER BY c.table_name`

// archiveNote says what the archive holds.
const archiveNote = `What Quaestor keeps of an organisation.

NAME-ID.json      one interview: session, messages, obligations, history, researchTasks
tables/NAME.jsonl the rows of a table, one a line, as they were when its turn came

Left out: passwords, tokens and other secrets; search indexes and vectors, which are made from the rest.
Bytes of files are written in hexadecimal after \x.
`

// archiveTables writes the rows of every table, as they are when its turn comes,
// without holding them in memory.
func (s *Handlers) archiveTables(ctx context.Context, z *zip.Writer, tenant string) error {
	file, err := z.CreateHeader(&zip.FileHeader{Name: "README.txt", Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if _, err := io.WriteString(file, archiveNote); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, tenantTables)
		if err != nil {
			return fmt.Errorf("list tables: %w", err)
		}
		tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Name, Columns string }])
		if err != nil {
			return fmt.Errorf("list tables: %w", err)
		}
		for _, t := range tables {
			if err := archiveTable(ctx, tx, z, tenant, t.Name, t.Columns); err != nil {
				return fmt.Errorf("export table %s: %w", t.Name, err)
			}
		}
		return nil
	})
}

// oneLine takes line ends out of JSON, where they stand between its parts only.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// archiveTable writes the rows of a table, one a line.
func archiveTable(ctx context.Context, tx pgx.Tx, z *zip.Writer, tenant, name, columns string) error {
	file, err := z.CreateHeader(&zip.FileHeader{Name: "tables/" + name + ".jsonl", Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT row_to_json(r)::text FROM (SELECT `+columns+` FROM `+pgx.Identifier{name}.Sanitize()+` WHERE tenant_id = $1) AS r`, tenant)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		if _, err := io.WriteString(file, oneLine.Replace(line)+"\n"); err != nil {
			return err
		}
	}
	return rows.Err()
}
