package postgres

// OrNull is s as a column that may be NULL holds it: nil for the empty text.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// OrEmpty is what such a column holds as a text: empty for NULL.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
