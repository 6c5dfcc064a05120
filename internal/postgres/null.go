package postgres

// OrNull returns s for a column that may be NULL: nil for the empty string.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// OrEmpty returns the text of a column that may be NULL: the empty string for NULL.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
