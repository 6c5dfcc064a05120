package schema

import (
	"encoding/json"
	"fmt"

	"quaestor/research/warehouse/catalog"
)

// columnRow is a column as it is stored.
type columnRow struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	NotNull  bool   `json:"notNull,omitempty"`
	Key      bool   `json:"key,omitempty"`
	Comment  string `json:"comment,omitempty"`
	Distinct int64  `json:"distinct,omitempty"`
}

// keyRow is a foreign key as it is stored.
type keyRow struct {
	Columns []string `json:"columns"`
	Table   string   `json:"table"`
	To      []string `json:"to"`
}

func columnRows(list []catalog.Column) []columnRow {
	out := make([]columnRow, len(list))
	for i := range list {
		out[i] = columnRow(list[i])
	}
	return out
}

func keyRows(list []catalog.Foreign) []keyRow {
	out := make([]keyRow, len(list))
	for i := range list {
		out[i] = keyRow(list[i])
	}
	return out
}

// columnsOf reads columns as they are stored.
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

// keysOf reads foreign keys as they are stored.
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
