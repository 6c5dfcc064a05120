package question

// ColumnName returns the name of the column that a reading computes of; empty for rows.
func (r *Reading) ColumnName() string {
	if r.Column == nil {
		return ""
	}
	return r.Column.column.Name
}
