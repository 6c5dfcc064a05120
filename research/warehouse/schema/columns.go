package schema

import (
	"encoding/json"
	"fmt"

	"quaestor/research/warehouse/catalog"
)

// columnRow is a column in its stored form.
type columnRow struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	NotNull  bool   `json:"notNull,omitempty"` // declared so
	Key      bool   `json:"key,omitempty"`
	Comment  string `json:"comment,omitempty"`
	Distinct int64  `json:"distinct,omitempty"`
}

// keyRow is a foreign key in its stored form.
type keyRow struct {
	Columns []string `json:"columns"`
	Table   string   `json:"table"` // qualified
	To      []string `json:"to"`    // columns of Table, in the order of Columns
}

// columnRows converts columns for the statement that writes a table.
func columnRows(list []catalog.Column) []columnRow {
	out := make([]columnRow, len(list))
	for i := range list {
		out[i] = columnRow(list[i])
	}
	return out
}

// keyRows converts foreign keys for the statement that writes a table.
func keyRows(list []catalog.Foreign) []keyRow {
	out := make([]keyRow, len(list))
	for i := range list {
		out[i] = keyRow(list[i])
	}
	return out
}

// columnsOf decodes stored columns.
func columnsOf(stored []byte) ([]catalog.Column, error) {
	var rows []columnRow
	if err := json.Unmarshal(stored, &rows); err != nil {
		return nil, fmt.Errorf("read stored columns: %w", err)
	}
	out := make([]catalog.Column, len(rows))
	for i := range rows {
		out[i] = catalog.Column(rows[i])
	}
	return out, nil
}

// keysOf decodes stored foreign keys.
func keysOf(stored []byte) ([]catalog.Foreign, error) {
	var rows []keyRow
	if err := json.Unmarshal(stored, &rows); err != nil || len(rows) == 0 {
		return nil, err
	}
	out := make([]catalog.Foreign, len(rows))
	for i := range rows {
		out[i] = catalog.Foreign(rows[i])
	}
	return out, nil
}
