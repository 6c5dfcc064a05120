package bigquery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"cloud.google.com/go/bigquery"
	"google.golang.org/api/iterator"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// Tables implements [warehouse.Conn], with three queries for each dataset. Foreign keys are not
// read. Views have no row count. Each query is billed like any other, at least 10 MB, and is
// limited to [warehouse.DefaultScanned].
func (c *conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	datasets, err := c.chosen(ctx, schemas)
	if err != nil {
		return c.fault(ctx, err)
	}
	for _, d := range datasets {
		tables, err := c.dataset(ctx, d)
		if err != nil {
			return c.fault(ctx, err)
		}
		for _, t := range tables {
			if err := found(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// chosen returns the datasets to read, in order. If schemas is empty, these are all datasets that
// the account can see in the project.
func (c *conn) chosen(ctx context.Context, schemas []string) ([]string, error) {
	if len(schemas) == 0 {
		for it := c.api.Datasets(ctx); ; {
			d, err := it.Next()
			if errors.Is(err, iterator.Done) {
				break
			}
			if err != nil {
				return nil, err
			}
			schemas = append(schemas, d.DatasetID)
		}
	}
	return slices.Sorted(slices.Values(schemas)), nil
}

// dataset reads the tables of one dataset, ordered by name. Nested fields are not listed; they
// are part of the type of their column.
func (c *conn) dataset(ctx context.Context, d string) ([]catalog.Table, error) {
	var out []catalog.Table
	at := map[string]int{}
	err := c.each(ctx, "SELECT c.table_name, c.column_name, c.data_type, c.is_nullable, COALESCE(p.description, '') FROM "+quoted(c.project, d)+".INFORMATION_SCHEMA.COLUMNS AS c LEFT JOIN "+
		quoted(c.project, d)+".INFORMATION_SCHEMA.COLUMN_FIELD_PATHS AS p ON p.table_name = c.table_name AND p.column_name = c.column_name AND p.field_path = c.column_name ORDER BY c.table_name, c.ordinal_position", func(row []string) {
		if n := len(out); n == 0 || out[n-1].Name != row[0] {
			at[row[0]] = n
			out = append(out, catalog.Table{Schema: d, Name: row[0], Rows: catalog.UnknownRows})
		}
		t := &out[len(out)-1]
		t.Columns = append(t.Columns, catalog.Column{Name: row[1], Type: row[2], NotNull: row[3] == "NO", Comment: row[4]})
	})
	if err != nil {
		return nil, err
	}
	if err := c.each(ctx, "SELECT table_id, CAST(row_count AS STRING) FROM "+quoted(c.project, d)+".__TABLES__ WHERE type = 1", func(row []string) {
		if i, ok := at[row[0]]; ok {
			_, _ = fmt.Sscan(row[1], &out[i].Rows)
		}
	}); err != nil {
		return nil, err
	}
	err = c.each(ctx, "SELECT k.table_name, k.column_name FROM "+quoted(c.project, d)+".INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k JOIN "+quoted(c.project, d)+
		".INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS t ON t.constraint_name = k.constraint_name WHERE t.constraint_type = 'PRIMARY KEY'", func(row []string) {
		i, ok := at[row[0]]
		if !ok {
			return
		}
		for n := range out[i].Columns {
			if out[i].Columns[n].Name == row[1] {
				out[i].Columns[n].Key = true
			}
		}
	})
	return out, err
}

// each runs a trusted query whose columns are all strings, and calls f for every row. Null
// becomes an empty string.
func (c *conn) each(ctx context.Context, sql string, f func(row []string)) error {
	q := c.api.Query(sql)
	q.MaxBytesBilled = warehouse.DefaultScanned
	rows, err := q.Read(ctx)
	if err != nil {
		return err
	}
	for {
		var row []bigquery.Value
		if err := rows.Next(&row); errors.Is(err, iterator.Done) {
			return nil
		} else if err != nil {
			return err
		}
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i], _ = v.(string)
		}
		f(cells)
	}
}

// The permissions that allow an account to change data in a project, and in a table.
var (
	writing = []string{"bigquery.datasets.create", "bigquery.datasets.update", "bigquery.datasets.delete", "bigquery.tables.create", "bigquery.tables.update", "bigquery.tables.updateData", "bigquery.tables.delete", "bigquery.routines.create"}
	ofTable = []string{"bigquery.tables.update", "bigquery.tables.updateData", "bigquery.tables.delete"}
)

// triedTables is in how many datasets the permissions on one table are checked. It bounds the
// requests of one test.
const triedTables = 20

// Rights implements [warehouse.Conn]. It asks for the account's permissions on the project and on
// one table of each dataset. Permissions are asked for and nothing is tried. If those on the
// project cannot be asked for, the account counts as one that can write.
func (c *conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	out := warehouse.Rights{Role: c.role, Server: "BigQuery"}
	have, err := c.permitted(ctx, c.base("https://cloudresourcemanager.googleapis.com")+"/v1/projects/"+url.PathEscape(c.project)+":testIamPermissions", writing)
	if err != nil {
		out.Why = append(out.Why, "change the project, for all that is known: it could not be asked")
	}
	out.Why = append(out.Why, have...)
	datasets, err := c.chosen(ctx, c.datasets)
	if err != nil {
		return out, c.fault(ctx, err)
	}
	for _, d := range datasets[:min(len(datasets), triedTables)] {
		t, err := c.api.DatasetInProject(c.project, d).Tables(ctx).Next()
		if errors.Is(err, iterator.Done) {
			continue
		}
		if err != nil {
			return out, c.fault(ctx, err)
		}
		have, err := c.permitted(ctx, c.base("https://bigquery.googleapis.com")+"/bigquery/v2/projects/"+url.PathEscape(c.project)+"/datasets/"+url.PathEscape(d)+"/tables/"+url.PathEscape(t.TableID)+":testIamPermissions", ofTable)
		if err != nil {
			return out, c.fault(ctx, err)
		}
		for _, p := range have {
			out.Why = append(out.Why, p+" on "+d+"."+t.TableID)
		}
	}
	out.CanWrite = len(out.Why) > 0
	return out, nil
}

// base returns the address of an API.
func (c *conn) base(public string) string {
	if c.endpoint != "" {
		return c.endpoint
	}
	return public
}

// permitted returns which of the permissions in ask the account has on a resource. at is the
// address of the resource's testIamPermissions. Of the answer, 1 MiB is read at most.
func (c *conn) permitted(ctx context.Context, at string, ask []string) ([]string, error) {
	body, err := json.Marshal(map[string][]string{"permissions": ask})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("permissions cannot be asked: status %d", resp.StatusCode)
	}
	var out struct{ Permissions []string }
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&out)
	return out.Permissions, err
}
