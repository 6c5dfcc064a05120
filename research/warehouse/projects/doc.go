// Package projects stores what people want to find out about a warehouse: by which pack, for which
// category and language, in which schemas, and what they state about themselves.
//
// A project names a version of a pack and stores only where it differs, so that it can adopt a better
// version. Its profile is checked by the pack's form, and its own prompts are checked as templates. A
// project can be explored in the state ready; [State.To] defines which state may follow which.
//
// [NewInstructions] makes the system prompt of a run from a project, its pack and what is known about the
// warehouse. [PreviousContext] summarizes what earlier runs found and people's feedback on it, which
// [Store.Judge] stores.
package projects
